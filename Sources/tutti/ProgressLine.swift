import Synchronization
import TuttiSender

/// One line at the foot of a terminal that is written over and over, with messages above it.
final class ProgressLine: View {
    /// Whether the line stands on the screen.
    private let isShown = Mutex(false)

    func show(_ event: PlayerEvent) {
        switch event {
        case .progress(let status): draw(Self.text(status))
        case .item(let item): say("♪ \(StatusText.name(item))")
        case .itemFailed(_, _, let message), .notice(let message): say("tutti: \(message)")
        case .room(let name, let state, let message):
            // What a room does in the normal course of things is in the line.
            if state == "lost" || state == "lost-device" || state == "stalled" || !message.isEmpty {
                say("tutti: \(name): \(message.isEmpty ? state : message)")
            }
        case .state, .finished: break
        }
    }

    func finish() {
        isShown.withLock { isShown in
            if isShown { Terminal.write("\n") }
            isShown = false
        }
    }

    private func say(_ text: String) {
        isShown.withLock { isShown in
            Terminal.write((isShown ? "\r\u{1B}[K" : "") + text + "\n")
            isShown = false
        }
    }

    private func draw(_ text: String) {
        isShown.withLock { isShown in
            Terminal.write("\r\u{1B}[K" + String(text.prefix(max(20, Terminal.width - 1))))
            isShown = true
        }
    }

    private static func text(_ status: PlayerStatus) -> String {
        let buffered = StatusText.buffered(status).map { "  \($0) s ahead" } ?? ""
        let rooms = status.rooms.map(StatusText.room).joined(separator: " · ")
        return "\(status.state.rawValue) \(StatusText.place(status))\(buffered)  \(rooms)"
    }
}
