import Synchronization
import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// A line for each event and one every five seconds, for pipes and logs.
final class PlainLines: View {
    private let count = Mutex(0)
    /// Whether it has ended, with an outcome that is not known yet.
    private let hasEnded = Mutex(false)

    /// Progress comes once a second.
    private static let interval = 5

    func show(_ event: ControlEvent.Kind) {
        switch event {
        case .progress(let status):
            let isDue = count.withLock { count in
                count += 1
                return count % Self.interval == 0
            }
            if isDue { Terminal.write(Self.text(status) + "\n") }
        case .item(let item): Terminal.write("playing \(StatusText.name(item))\n")
        case .itemFailed(_, _, let message, _): Terminal.error(message)
        case .notice(let notice): Terminal.error(notice)
        case .room(let name, let change, let message):
            Terminal.write("\(name): \(change)\(message.isEmpty ? "" : ": \(message)")\n")
        case .stalled: Terminal.error("waiting for data")
        case .state(.ended): hasEnded.withLock { $0 = true }
        case .state(let state):
            finish()
            Terminal.write("\(state.rawValue)\n")
        case .finished(let exitCode, _):
            // The message of a failure is shown elsewhere.
            if exitCode != 0 { hasEnded.withLock { $0 = false } }
        case .changed: break
        }
    }

    func finish() {
        let isOver = hasEnded.withLock { hasEnded in
            defer { hasEnded = false }
            return hasEnded
        }
        if isOver { Terminal.write("\(PlayerStatus.State.ended.rawValue)\n") }
    }

    private static func text(_ status: PlayerStatus) -> String {
        let buffered = StatusText.buffered(status).map { ", \($0) s ahead" } ?? ""
        let rooms = status.rooms.map(StatusText.room).joined(separator: ", ")
        return "\(status.state.rawValue) \(StatusText.place(status))\(buffered): \(rooms)"
    }
}
