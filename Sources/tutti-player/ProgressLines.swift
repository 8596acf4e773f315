import Synchronization
import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// Lines at the foot of a terminal that are written over and over, one for the track and one for each room, with
/// messages above them.
final class ProgressLines: View {
    /// How many of the lines stand on the screen.
    private let shown = Mutex(0)

    private static let clearLine = "\u{1B}[K"

    func show(_ event: ControlEvent.Kind) {
        switch event {
        case .progress(let status): draw([Self.text(status)] + StatusText.rooms(status))
        case .item(let item): say("♪ \(StatusText.name(item))")
        case .itemFailed(_, _, let message, _): say("tutti: \(message)")
        case .notice(let notice): say("tutti: \(notice)")
        case .room(let name, let change, let message):
            // What a room does in the normal course of things is in its line.
            if change.isTrouble || !message.isEmpty {
                say("tutti: \(name): \(message.isEmpty ? change.description : message)")
            }
        case .stalled: say("tutti: waiting for data")
        case .state, .finished, .changed: break
        }
    }

    func finish() { shown.withLock { $0 = 0 } }

    /// Writes a message in place of the lines; the next progress writes them again below it.
    private func say(_ text: String) {
        shown.withLock { shown in
            // Everything below the cursor goes.
            Terminal.write(Self.up(shown) + "\u{1B}[J" + text + "\n")
            shown = 0
        }
    }

    private func draw(_ lines: [String]) {
        let width = max(20, Terminal.size.width - 1)
        shown.withLock { shown in
            let text = lines.map { "\($0.prefix(width))\(Self.clearLine)\n" }.joined()
            Terminal.write(Self.up(shown) + text)
            shown = lines.count
        }
    }

    private static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A" : "" }

    private static func text(_ status: PlayerStatus) -> String {
        let buffered = StatusText.buffered(status).map { "  \($0) s ahead" } ?? ""
        return "\(status.state.rawValue)  \(StatusText.place(status))\(buffered)"
    }
}
