/// Places and lengths as people write them, in answers of the control socket and on a terminal.
package enum StatusTime {
    /// `1:02:03`, `4:05`.
    package static func text(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return "?" }
        let whole = Int(max(0, seconds))
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        let rest = padded(whole % 60)
        return hours > 0 ? "\(hours):\(padded(minutes)):\(rest)" : "\(minutes):\(rest)"
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
