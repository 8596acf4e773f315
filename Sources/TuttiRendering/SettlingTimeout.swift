import TuttiClock
import TuttiCore

/// How well the group clock must be known before sound begins, by how long it has been waited for.
enum SettlingTimeout {
    /// Standard deviations that are good enough, in ns, and the time from which on they are, in ns. Over cables the
    /// first is reached in a tenth of a second; two rooms with the second are hardly ever 100 µs apart, and over Wi-Fi
    /// no more can be had in a time that anybody would want to wait. Worse than the third is a link that has been full
    /// since: it will not be for long.
    private static let steps: [(sigma: Double, waited: Int64)] = [
        (3_000, 0), (30_000, 300_000_000), (300_000, 1_500_000_000), (.infinity, 4_000_000_000),
    ]

    /// Whether to begin on `estimate`, of a clock that is followed since `since`.
    static func isOver(_ estimate: ClockEstimate?, since: HostTime, now: HostTime) -> Bool {
        guard let estimate else { return false }
        let sigma = estimate.sigma(atHostNanoseconds: now.nanoseconds)
        let waited = now.nanoseconds(since: since)
        return steps.contains { sigma <= $0.sigma && waited >= $0.waited }
    }
}
