/// One comparison of another clock with `CLOCK_MONOTONIC_RAW`: of the PTP hardware clock (PHC) of a network interface,
/// say.
package struct ClockReading: Sendable, Equatable {
    /// The raw clock, in ns.
    package var raw: Int64
    /// The other clock at that instant, in ns of its own epoch.
    package var other: Int64
    /// How far apart the two instants may lie, in ns.
    package var uncertainty: Int64

    /// A reading of these parts.
    package init(raw: Int64, other: Int64, uncertainty: Int64) {
        self.raw = raw
        self.other = other
        self.uncertainty = uncertainty
    }

    /// Of readings of the other clock between two of the raw clock, the one where those lie closest together; nil when
    /// there is none in order.
    package init?(tightestOf sandwiches: [(before: Int64, other: Int64, after: Int64)]) {
        let ordered = sandwiches.filter { $0.before > 0 && $0.after >= $0.before }
        guard let best = ordered.min(by: { $0.after - $0.before < $1.after - $1.before }) else { return nil }
        let width = best.after - best.before
        self.init(raw: best.before + width / 2, other: best.other, uncertainty: width / 2 + width % 2)
    }

    /// Whether two clocks whose rates differ by less than `ClockFit.maximumRate` may have made this reading and a later
    /// one.
    func isContinued(by later: ClockReading) -> Bool {
        let elapsed = later.raw - raw
        let moved = (later.raw - later.other) - (raw - other)
        let allowed = Int64(Double(elapsed) * ClockFit.maximumRate) + uncertainty + later.uncertainty + 1000
        return elapsed > 0 && moved.magnitude <= UInt64(allowed)
    }

    /// Whether differences of such readings fit their type, and say anything.
    var isUsable: Bool {
        let limit: UInt64 = 1 << 61
        return raw.magnitude < limit && other.magnitude < limit && (0..<1_000_000).contains(uncertainty)
    }
}
