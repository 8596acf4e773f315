/// When, on this host: nanoseconds of `CLOCK_MONOTONIC_RAW` (or of a test clock laid over it).
///
/// Never comparable with a time of another host: that takes a clock estimate and gives a `GroupTime`.
public struct HostTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since an arbitrary origin, in general the host's start.
    public var nanoseconds: Int64

    /// A host time of `nanoseconds` since the clock's origin.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Earlier instants are less.
    public static func < (lhs: HostTime, rhs: HostTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// The time `interval` nanoseconds later, clamped to the clock's range.
    public func advanced(byNanoseconds interval: Int64) -> HostTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(interval)
        return HostTime(nanoseconds: overflow ? (interval < 0 ? .min : .max) : sum)
    }

    /// Nanoseconds from `earlier` to this time (negative when this is the earlier one), clamped to 64 bits.
    public func nanoseconds(since earlier: HostTime) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? (nanoseconds < earlier.nanoseconds ? .min : .max) : difference
    }
}
