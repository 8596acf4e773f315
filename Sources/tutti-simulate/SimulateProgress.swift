import Glibc
import TuttiCommandLine

/// How far a run has come, on a terminal, in a line that is written over and over.
struct SimulateProgress {
    private let duration: Int64
    private let isShown: Bool
    private var last = ContinuousClock.now

    /// - Parameters:
    ///   - duration: of the run, in nanoseconds.
    ///   - isShown: false to show nothing.
    init(duration: Int64, isShown: Bool) {
        self.duration = duration
        self.isShown = isShown && isatty(STDERR_FILENO) == 1
    }

    /// Shows the time reached, a few times a second.
    mutating func show(_ time: Int64) {
        guard isShown, ContinuousClock.now - last > .milliseconds(200) else { return }
        last = ContinuousClock.now
        Terminal.writeError("\r\(Self.text(time)) of \(Self.text(duration))\u{1B}[K")
    }

    /// Takes the line away.
    func end() {
        if isShown { Terminal.writeError("\r\u{1B}[K") }
    }

    private static func text(_ nanoseconds: Int64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
