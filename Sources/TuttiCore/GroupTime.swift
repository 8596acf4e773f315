/// Names one group clock: a new timescale has a new id, so times of two of them are never mixed up.
public struct TimescaleID: Sendable, Hashable {
    /// A random 64-bit number; zero is never used.
    public let rawValue: UInt64

    /// An id with the given number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// When, on the clock that a whole group shares: nanoseconds since the epoch of the timescale named by `timescale`.
public struct GroupTime: Sendable, Hashable {
    /// The group clock that this time is read on.
    public let timescale: TimescaleID
    /// Nanoseconds since that timescale's epoch.
    public var nanoseconds: Int64

    /// A time of `nanoseconds` on the clock `timescale`.
    public init(nanoseconds: Int64, timescale: TimescaleID) {
        self.nanoseconds = nanoseconds
        self.timescale = timescale
    }

    /// The time `interval` nanoseconds later on the same clock, clamped to its range.
    public func advanced(byNanoseconds interval: Int64) -> GroupTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(interval)
        return GroupTime(nanoseconds: overflow ? (interval < 0 ? .min : .max) : sum, timescale: timescale)
    }
}
