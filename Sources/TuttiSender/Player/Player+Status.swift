import TuttiAssets
import TuttiClock
import TuttiCore
import TuttiPlayback
package import TuttiSchema
import TuttiProduction
import TuttiRooms

/// How it stands.
extension Player {
    /// All that `tutti status` shows.
    package func status() -> PlayerStatus {
        let place = position
        follow()
        let piece = programme.piece(at: place)
        let origin = piece?.time(of: .zero) ?? .zero
        let rate = piece?.rate ?? 1
        let state: PlayerStatus.State =
            switch phase {
            case .connecting: isParked && producer == nil ? .stopped : .starting
            case .filling: group.hasStarted ? .buffering : .starting
            case .playing: .playing
            case .paused: isResting ? .ended : .paused
            case .finished: .ended
            }
        return PlayerStatus(
            state: state, position: max(0, (place - origin).seconds * rate), rate: playhead.rate * rate,
            item: piece.map { itemStatus($0) } ?? parkedItem,
            queue: PlayerStatus.Queue(
                length: queue.count, index: queue.currentIndex ?? 0, repeat: queue.repeatMode,
                shuffle: queue.isShuffled, consume: queue.consumes, crossfade: crossfade.seconds),
            rooms: group.rooms.map { $0.report(origin: origin, rate: rate) }, reference: group.reference,
            referencePpm: group.line.fit.map { $0.slope * 1e6 }, referenceMessage: group.referenceProblem)
    }

    /// Bytes of encoded sound that are kept for the rooms.
    package var logBytes: Int { group.log.byteCount }

    func itemStatus(_ piece: PlaybackTimeline.Piece) -> PlayerStatus.Item {
        let item = piece.item
        let title = item.info?.title ?? item.input.title
        let streamTitle = piece.streamTitle(at: position)
        return PlayerStatus.Item(
            index: queue.index(of: piece.entry) ?? 0, id: piece.entry.rawValue, title: streamTitle ?? title,
            artist: item.info?.artist ?? item.input.artist,
            album: item.info?.album ?? item.input.album, duration: item.info?.duration?.seconds, uri: item.input.uri,
            station: streamTitle == nil ? nil : title)
    }
}
