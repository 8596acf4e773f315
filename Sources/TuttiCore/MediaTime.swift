/// Where in the programme: an exact rational number of seconds, as `CMTime` is.
///
/// `value / timescale` seconds. A time is always finite and inside ±`MediaTime.maximumSeconds`, so arithmetic on
/// validated times cannot trap; times that come from outside go through the failable initialisers.
///
/// Arithmetic is exact while the two timescales have a common multiple that fits in 31 bits (every pair of audio
/// sample rates does). Where it does not, the result is rounded half away from zero to the finer timescale.
public struct MediaTime: Sendable, Hashable {
    /// Numerator, in units of `1 / timescale` seconds.
    public let value: Int64
    /// Units a second; 1 … 2³¹ − 1.
    public let timescale: Int32

    /// The largest magnitude of a time, in seconds: 2³¹ (68 years).
    public static let maximumSeconds: Int64 = 1 << 31

    /// Earlier than any place on a timeline.
    package static let lowest = MediaTime(frame: -maximumSeconds, sampleRate: 1)

    /// The programme's origin.
    public static let zero = MediaTime(unchecked: 0, timescale: 1)

    /// A time of `value / timescale` seconds, or nil when the timescale is not positive or the time is out of range.
    public init?(value: Int64, timescale: Int32) {
        guard timescale > 0, value.magnitude / UInt64(timescale) < UInt64(Self.maximumSeconds) else { return nil }
        self.init(unchecked: value, timescale: timescale)
    }

    /// The time of sample frame `frame` at `sampleRate` frames a second; clamped to the range of a media time.
    ///
    /// - Precondition: `sampleRate` is positive.
    public init(frame: Int64, sampleRate: Int) {
        precondition(sampleRate > 0 && sampleRate <= Int(Int32.max), "a sample rate is positive and fits in 31 bits")
        self.init(clamping: Int128(frame), timescale: Int32(sampleRate))
    }

    /// The nearest time to `seconds` in units of `1 / preferredTimescale`; nil when it is not finite or out of range.
    public init?(seconds: Double, preferredTimescale: Int32) {
        guard preferredTimescale > 0, seconds.isFinite, abs(seconds) < Double(Self.maximumSeconds) else { return nil }
        let scaled = (seconds * Double(preferredTimescale)).rounded(.toNearestOrAwayFromZero)
        self.init(value: Int64(scaled), timescale: preferredTimescale)
    }

    init(unchecked value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = timescale
    }

    /// Clamps to the range of a media time.
    init(clamping value: Int128, timescale: Int32) {
        let limit = Int128(Self.maximumSeconds) * Int128(timescale) - 1
        self.init(unchecked: Int64(min(max(value, -limit), limit)), timescale: timescale)
    }

    /// The time as a floating-point number of seconds, for display and estimation only.
    public var seconds: Double { Double(value) / Double(timescale) }

    /// True for times after the origin.
    public var isPositive: Bool { value > 0 }

    /// How a conversion to a coarser timescale rounds.
    public enum Rounding: Sendable {
        /// To the nearest unit; halves go away from zero.
        case halfAwayFromZero
        /// Towards negative infinity.
        case down
        /// Towards positive infinity.
        case up
    }

    /// The time in units of `1 / newTimescale`, rounded as asked when it has no exact value there.
    ///
    /// - Precondition: `newTimescale` is positive.
    public func converted(to newTimescale: Int32, rounding: Rounding = .halfAwayFromZero) -> MediaTime {
        precondition(newTimescale > 0, "a timescale is positive")
        if newTimescale == timescale { return self }
        let scaled = Int128(value) * Int128(newTimescale)
        return MediaTime(
            clamping: Self.divide(scaled, by: Int128(timescale), rounding: rounding), timescale: newTimescale)
    }

    /// The index of the sample frame at this time for `sampleRate` frames a second.
    ///
    /// - Precondition: `sampleRate` is positive.
    public func frame(at sampleRate: Int, rounding: Rounding = .halfAwayFromZero) -> Int64 {
        precondition(sampleRate > 0, "a sample rate is positive")
        let scaled = Int128(value) * Int128(sampleRate)
        return Int64(Self.divide(scaled, by: Int128(timescale), rounding: rounding))
    }

    /// The time in whole nanoseconds, rounded half away from zero.
    public var nanoseconds: Int64 {
        Int64(Self.divide(Int128(value) * 1_000_000_000, by: Int128(timescale), rounding: .halfAwayFromZero))
    }

    static func divide(_ numerator: Int128, by denominator: Int128, rounding: Rounding) -> Int128 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        if remainder == 0 { return quotient }
        let isNegative = numerator < 0
        switch rounding {
        case .down: return isNegative ? quotient - 1 : quotient
        case .up: return isNegative ? quotient : quotient + 1
        case .halfAwayFromZero:
            let twice = (remainder < 0 ? -remainder : remainder) * 2
            guard twice >= denominator else { return quotient }
            return isNegative ? quotient - 1 : quotient + 1
        }
    }
}
