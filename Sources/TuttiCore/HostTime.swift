/// When, on this host: nanoseconds of `CLOCK_MONOTONIC_RAW` (or of a test clock laid over it).
///
/// Never comparable with a time of another host: that takes a clock estimate and gives a `GroupTime`. A time lies
/// within ±`maximumNanoseconds`, so no difference of two overflows; sums clamp to that range.
public struct HostTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since an arbitrary origin, in general the host's start; within ±`maximumNanoseconds`.
    public let nanoseconds: Int64

    /// The largest magnitude of a time: 2⁶² − 1 ns, 146 years.
    public static let maximumNanoseconds: Int64 = (1 << 62) - 1

    /// A host time of `nanoseconds` since the clock's origin; clamped to the range of a host time.
    public init(nanoseconds: Int64) {
        self.nanoseconds = min(max(nanoseconds, -Self.maximumNanoseconds), Self.maximumNanoseconds)
    }

    /// Earlier instants are less.
    public static func < (lhs: HostTime, rhs: HostTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// The time `interval` nanoseconds later, clamped to the clock's range.
    public func advanced(byNanoseconds interval: Int64) -> HostTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(interval)
        return HostTime(nanoseconds: overflow ? (interval < 0 ? .min : .max) : sum)
    }

    /// Nanoseconds from `earlier` to this time; negative when this is the earlier one.
    public func nanoseconds(since earlier: HostTime) -> Int64 { nanoseconds - earlier.nanoseconds }
}
