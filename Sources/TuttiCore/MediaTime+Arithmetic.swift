extension MediaTime: Comparable {
    /// Equal when both denote the same instant, whatever their timescales.
    public static func == (lhs: MediaTime, rhs: MediaTime) -> Bool {
        Int128(lhs.value) * Int128(rhs.timescale) == Int128(rhs.value) * Int128(lhs.timescale)
    }

    /// Ordered by instant.
    public static func < (lhs: MediaTime, rhs: MediaTime) -> Bool {
        Int128(lhs.value) * Int128(rhs.timescale) < Int128(rhs.value) * Int128(lhs.timescale)
    }

    /// Hashes the reduced fraction, so that equal instants hash alike.
    public func hash(into hasher: inout Hasher) {
        let divisor = max(1, greatestCommonDivisor(value.magnitude, UInt64(timescale)))
        hasher.combine(value / Int64(divisor))
        hasher.combine(Int64(timescale) / Int64(divisor))
    }
}

extension MediaTime {
    /// The sum, exact where the timescales have a common multiple below 2³¹; clamped to the range of a media time.
    public static func + (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
        combine(lhs, rhs) { $0 + $1 }
    }

    /// The difference, exact where the timescales have a common multiple below 2³¹; clamped likewise.
    public static func - (lhs: MediaTime, rhs: MediaTime) -> MediaTime {
        combine(lhs, rhs) { $0 - $1 }
    }

    /// Adds in place.
    public static func += (lhs: inout MediaTime, rhs: MediaTime) { lhs = lhs + rhs }

    /// The same distance on the other side of zero.
    public static prefix func - (time: MediaTime) -> MediaTime {
        MediaTime(unchecked: -time.value, timescale: time.timescale)
    }

    private static func combine(
        _ lhs: MediaTime, _ rhs: MediaTime, with operation: (Int128, Int128) -> Int128
    ) -> MediaTime {
        if lhs.timescale == rhs.timescale {
            return MediaTime(clamping: operation(Int128(lhs.value), Int128(rhs.value)), timescale: lhs.timescale)
        }
        let divisor = Int64(greatestCommonDivisor(UInt64(lhs.timescale), UInt64(rhs.timescale)))
        let common = Int128(lhs.timescale) / Int128(divisor) * Int128(rhs.timescale)
        let left = Int128(lhs.value) * (common / Int128(lhs.timescale))
        let right = Int128(rhs.value) * (common / Int128(rhs.timescale))
        let sum = operation(left, right)
        if common <= Int128(Int32.max) { return MediaTime(clamping: sum, timescale: Int32(common)) }
        let finer = max(lhs.timescale, rhs.timescale)
        return MediaTime(
            clamping: divide(sum * Int128(finer), by: common, rounding: .halfAwayFromZero), timescale: finer)
    }
}

/// Euclid's algorithm; the greatest common divisor of zero and n is n.
func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

extension MediaTime {
    /// The product, to the nanosecond; the time itself for 1.
    package func scaled(by factor: Double) -> MediaTime {
        factor == 1 ? self : MediaTime(seconds: seconds * factor, preferredTimescale: 1_000_000_000) ?? self
    }
}
