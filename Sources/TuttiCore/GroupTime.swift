/// Names one group clock: a new timescale has a new id, so times of two of them are never mixed up.
public struct TimescaleID: Sendable, Hashable {
    /// A random 64-bit number; zero is never used.
    public let rawValue: UInt64

    /// An id with the given number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// When, on the clock that a whole group shares: nanoseconds since the epoch of the timescale named by `timescale`.
///
/// A time lies within ±`maximumNanoseconds`, so no difference of two overflows; sums clamp to that range.
public struct GroupTime: Sendable, Hashable {
    /// The group clock that this time is read on.
    public let timescale: TimescaleID
    /// Nanoseconds since that timescale's epoch, within ±`maximumNanoseconds`.
    public let nanoseconds: Int64

    /// The largest magnitude of a time: 2⁶² − 1 ns, 146 years.
    public static let maximumNanoseconds: Int64 = (1 << 62) - 1

    /// A time of `nanoseconds` on the clock `timescale`; clamped to the range of a group time.
    public init(nanoseconds: Int64, timescale: TimescaleID) {
        self.nanoseconds = min(max(nanoseconds, -Self.maximumNanoseconds), Self.maximumNanoseconds)
        self.timescale = timescale
    }

    /// The time `interval` nanoseconds later on the same clock, clamped to its range.
    public func advanced(byNanoseconds interval: Int64) -> GroupTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(interval)
        return GroupTime(nanoseconds: overflow ? (interval < 0 ? .min : .max) : sum, timescale: timescale)
    }

    /// Nanoseconds from `earlier`, a time of the same clock, to this time; negative when this is the earlier one.
    public func nanoseconds(since earlier: GroupTime) -> Int64 { nanoseconds - earlier.nanoseconds }
}
