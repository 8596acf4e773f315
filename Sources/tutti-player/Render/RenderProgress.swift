import TuttiCommandLine
import TuttiExport

/// A line at the foot of the terminal that is written over and over while something is rendered.
final class RenderProgress {
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    /// Seconds of sound of all passes.
    private(set) var rendered = 0.0

    private static let interval = Duration.milliseconds(200)

    init(isShown: Bool) { self.isShown = isShown }

    /// Seconds since it was made.
    var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

    func show(_ progress: ExportProgress) {
        rendered = progress.rendered
        guard isShown else { return }
        let now = ContinuousClock.now
        if let shown, now - shown < Self.interval { return }
        shown = now
        let line = Self.text(progress, ratio: rendered / max(elapsed, 1e-6))
        Terminal.write("\r\(line.prefix(max(20, Terminal.size.width - 1)))\u{1B}[K")
    }

    /// Takes the line away.
    func clear() {
        guard shown != nil else { return }
        Terminal.write("\r\u{1B}[K")
        shown = nil
    }

    private static func text(_ progress: ExportProgress, ratio: Double) -> String {
        let what = progress.isMeasuring ? "measuring" : "rendering"
        let total = progress.duration.map { " of \(time($0))" } ?? ""
        return "\(what)  \(time(progress.position))\(total)  \(factor(ratio)) × real time"
    }

    /// Minutes and seconds, as 3:07.
    static func time(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e9)))
        let (minutes, rest) = whole.quotientAndRemainder(dividingBy: 60)
        return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// 187, or 3.4 where it is little.
    static func factor(_ ratio: Double) -> String {
        let tenths = Int(min(max(ratio * 10, 0), 1e9).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
    }
}
