import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiWire

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
            case .connecting: .starting
            case .filling: hasStarted ? .buffering : .starting
            case .playing: .playing
            case .paused: .paused
            case .finished: .ended
            }
        return PlayerStatus(
            state: state, position: max(0, (place - origin).seconds * rate), rate: playhead.rate * rate,
            item: piece.map { itemStatus($0) },
            queue: PlayerStatus.Queue(
                length: queue.count, index: queue.currentIndex ?? 0, repeat: queue.repeatMode,
                shuffle: queue.isShuffled, consume: queue.consumes),
            rooms: rooms.map { roomStatus($0, origin: origin.seconds, rate: rate) })
    }

    func itemStatus(_ piece: Programme.Piece) -> PlayerStatus.Item {
        let item = piece.item
        return PlayerStatus.Item(
            index: queue.index(of: piece.entry) ?? 0, title: item.info?.title ?? item.input.title,
            artist: item.info?.artist ?? item.input.artist,
            album: item.info?.album ?? item.input.album, duration: item.info?.duration?.seconds, uri: item.input.uri)
    }

    private func roomStatus(_ room: Room, origin: Double, rate: Double) -> RoomStatus {
        let link: String =
            switch room.link {
            case .connecting, .welcomed: "connecting"
            case .down, .refused: "unreachable"
            case .up: "preparing"
            }
        let status = room.isUp ? room.status : nil
        let problem = status?.message ?? ""
        return RoomStatus(
            name: room.label, id: room.session.welcome?.id, address: room.address.endpoint,
            state: status?.state.rawValue ?? link, volume: status?.volume, muted: status?.isMuted,
            announcing: status?.isAnnouncing, outputDelayMs: status?.outputDelayMs,
            loaded: status?.loaded.map { $0.map { ($0 - origin) * rate } } ?? [],
            likelyToKeepUp: status?.isLikelyToKeepUp ?? false, stalls: status?.stalls ?? 0, xruns: status?.xruns ?? 0,
            syncErrorUs: status?.syncErrorUs, syncErrorP99Us: status?.syncErrorP99Us,
            clockOffsetSigmaUs: status?.clockOffsetSigmaUs, clockDriftPpm: status?.clockDriftPpm,
            clockDriftSigmaPpm: status?.clockDriftSigmaPpm, dacPpm: status?.dacPpm, dacSigmaPpm: status?.dacSigmaPpm,
            rttUs: status?.rttUs, stamps: status?.stamps?.rawValue, codec: status?.codec, format: status?.format,
            bufferedBytes: status?.bufferedBytes, device: status?.device,
            message: problem.isEmpty ? (room.isUp ? nil : room.problem?.description) : problem)
    }
}
