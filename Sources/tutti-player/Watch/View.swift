import TuttiCommandLine
import TuttiSchema
import TuttiSender

/// Shows a player to whoever started it.
protocol View: Sendable {
    /// Something happened.
    func show(_ event: ControlEvent.Kind)
    /// Nothing happens any more.
    func finish()
}

/// Events as lines of JSON on standard output.
struct JSONView: View {
    func show(_ event: ControlEvent.Kind) {
        Terminal.write(JSONLine.encode(ControlEvent(event)) + [UInt8(ascii: "\n")])
    }

    func finish() {}
}
