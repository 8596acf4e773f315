import TuttiAssets
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiProduction
import TuttiRooms
package import TuttiSchema

/// How it stands.
extension Player {
    /// All that `tutti status` shows.
    package func status() -> PlayerStatus {
        let place = position
        follow()
        let track = timeline.track(at: place)
        let origin = track?.time(of: .zero) ?? .zero
        let rate = track?.rate ?? 1
        let state: PlayerStatus.State =
            switch phase {
            case .connecting: isParked && !production.isRunning ? .stopped : .starting
            case .filling: group.hasStarted ? .buffering : .starting
            case .playing: .playing
            case .paused: isResting ? .ended : .paused
            case .finished: .ended
            }
        var status = PlayerStatus(
            state: state, position: max(0, (place - origin).seconds * rate), rate: playhead.rate * rate,
            item: track.map { itemStatus($0) } ?? parkedItem,
            queue: PlayerStatus.Queue(
                length: queue.count, index: queue.currentIndex ?? 0, repeat: queue.repeatMode,
                shuffle: queue.isShuffled, consume: queue.consumes, crossfade: scheduling.crossfade.seconds,
                normalise: scheduling.normalization, night: scheduling.isNight, tracks: scheduling.tracks),
            rooms: group.members.map { $0.report(origin: origin, rate: rate) }, reference: group.reference.room,
            referencePpm: group.timebase.reference.fit.map { $0.slope * 1e6 }, referenceMessage: group.reference.problem
        )
        status.live = track.flatMap { liveStatus(of: $0) }
        status.behind = track.flatMap { behind(in: $0) }
        status.encoding = production.effort.map {
            PlayerStatus.Encoding(
                processorSeconds: Double($0.processor) / 1e9, soundSeconds: Double($0.sound) / 1e9)
        }
        return status
    }

    /// Bytes of encoded sound that are kept for the rooms.
    package var logBytes: Int { group.log.byteCount }

    func itemStatus(_ track: PlaybackTimeline.Track) -> PlayerStatus.Item {
        let item = track.item
        let title = item.info?.title ?? item.input.title
        let tags = track.streamTags(at: position)
        var status = PlayerStatus.Item(
            index: queue.index(of: track.entry) ?? 0, id: track.entry.rawValue, title: tags?.title ?? title,
            artist: tags?.artist ?? item.info?.artist ?? item.input.artist,
            album: tags?.album ?? item.info?.album ?? item.input.album, duration: item.info?.duration?.seconds,
            uri: item.input.uri,
            station: tags?.title == nil ? nil : title)
        status.artwork = tags?.artwork
        status.start = item.input.partStart
        status.tracks = item.info?.tracks.map { TrackListing($0, trackChoices(for: track.entry)) }
        return status
    }
}
