import TuttiPlayback
import TuttiSchema
import TuttiSender

extension QueuePlayer {
    /// Says in this library's words what the player behind it tells, to its end.
    static func translate(
        _ events: AsyncStream<PlayerEvent>, of player: Player, for broadcaster: Broadcaster<QueuePlayerEvent>
    ) async {
        var shown: UInt64?
        var isStalled = false
        for await event in events {
            switch event {
            case .item(let item):
                guard let id = item.id, id != shown, let item = await find(id, in: player) else { break }
                shown = id
                broadcaster.send(.currentItemChanged(item))
            case .itemFailed(_, _, let message, let id):
                guard let id, let item = await find(id, in: player) else { break }
                broadcaster.send(.itemFailed(item, .media(message)))
            case .stalled:
                isStalled = true
                broadcaster.send(.stalled)
            case .state(let state):
                if state == .playing, isStalled {
                    isStalled = false
                    broadcaster.send(.resumed)
                }
                if state == .ended, await !player.wasCutShort { broadcaster.send(.ended) }
                broadcaster.send(.timeControlStatusChanged(TimeControlStatus(state)))
            case .room(let name, .connected, _): broadcaster.send(.roomConnected(name))
            case .room(let name, .lost, let reason), .room(let name, .state(.unreachable), let reason):
                broadcaster.send(.roomLost(name, reason: reason))
            case .notice(let notice): if let event = QueuePlayerEvent(notice) { broadcaster.send(event) }
            case .room(let name, let event, let message):
                broadcaster.send(.roomChanged(name, RoomChange(event, message: message)))
            case .progress: break
            case .finished(let outcome): broadcaster.send(.finished(QueuePlayerError(outcome)))
            }
        }
        broadcaster.finish()
    }

    private static func find(_ id: UInt64, in player: Player) async -> PlayerItem? {
        await player.listener(of: QueueEntryID(rawValue: id)) { PlayerItem($0, in: player) } as? PlayerItem
    }
}
