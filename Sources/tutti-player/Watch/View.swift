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

extension View {
    func finish() {}
}

/// Events as lines of JSON on standard output.
struct JSONView: View {
    func show(_ event: ControlEvent.Kind) { Terminal.write(json: ControlEvent(event)) }
}

/// The view for people, or for programs.
func progressView(isJSON: Bool) -> any View {
    if isJSON { return JSONView() }
    return Terminal.isInteractive ? ProgressLines() : PlainLines()
}
