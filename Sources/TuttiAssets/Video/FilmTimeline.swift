package import TuttiCore

/// Where the timestamps of a track lie on the timeline of the medium's sound.
package struct FilmTimeline: Sendable, Equatable {
    private let numerator: Int64
    private let timescale: Int32
    /// The medium's own time at which the timeline begins.
    package var zero = MediaTime.zero

    /// A timeline that begins with timestamp 0.
    ///
    /// - Parameters:
    ///   - numerator: with `timescale`, the seconds of one unit: `numerator / timescale`.
    ///   - timescale: see there.
    /// - Returns: nil where one of them is not positive.
    package init?(numerator: Int32, timescale: Int32) {
        guard numerator > 0, timescale > 0 else { return nil }
        self.numerator = Int64(numerator)
        self.timescale = timescale
    }

    /// The time of a timestamp, negative before the timeline's beginning; nil outside of the range of media times.
    package func time(_ timestamp: Int64) -> MediaTime? { duration(timestamp).map { $0 - zero } }

    /// The length of so many units; nil outside of the range of media times.
    package func duration(_ units: Int64) -> MediaTime? {
        let (value, overflow) = units.multipliedReportingOverflow(by: numerator)
        return overflow ? nil : MediaTime(value: value, timescale: timescale)
    }

    /// The last timestamp at or before `time`, clamped to 62 bits.
    package func timestamp(at time: MediaTime) -> Int64 {
        let place = time + zero
        let (value, divisor) = (Int128(place.value) * Int128(timescale), Int128(place.timescale) * Int128(numerator))
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return Int64(max(-(1 << 62), min(1 << 62, remainder < 0 ? quotient - 1 : quotient)))
    }

    /// Units in `duration`: at least one, at most 2³¹.
    package func units(_ duration: MediaTime) -> Int64 {
        let (value, divisor) = (
            Int128(duration.value) * Int128(timescale), Int128(duration.timescale) * Int128(numerator)
        )
        return Int64(max(1, min(1 << 31, value / divisor)))
    }
}
