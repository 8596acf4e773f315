package import TuttiCore

/// A linear map between the timeline and the group's clock: at `groupTime` the timeline stands at `mediaTime` and
/// advances `rate` seconds of media each second of group time.
package struct Timebase: Sendable, Hashable {
    /// Media seconds a group second; 0 while paused.
    package let rate: Double
    /// Where the timeline stands at `groupTime`.
    package let mediaTime: MediaTime
    /// The instant at which the map is anchored.
    package let groupTime: GroupTime

    /// A timebase through (`groupTime`, `mediaTime`); a rate that is not finite or negative counts as 0.
    package init(rate: Double, mediaTime: MediaTime, groupTime: GroupTime) {
        self.rate = rate.isFinite && rate > 0 ? rate : 0
        self.mediaTime = mediaTime
        self.groupTime = groupTime
    }

    /// The instant of `media` in whole nanoseconds of the timebase's timescale and a rest in 0 ..< 1 of a nanosecond;
    /// nil while paused, or when the instant is out of the clock's range.
    package func groupTimeWithFraction(of media: MediaTime) -> (nanoseconds: Int64, fraction: Double)? {
        guard rate > 0 else { return nil }
        let (left, right) = (Int128(media.timescale), Int128(mediaTime.timescale))
        let numerator = (Int128(media.value) * right - Int128(mediaTime.value) * left) * 1_000_000_000
        let denominator = left * right
        var (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        var fraction = Double(rest) / Double(denominator)
        if rate != 1 {
            let scaled = (Double(whole) + fraction) / rate
            guard abs(scaled) < 9e18 else { return nil }
            whole = Int128(scaled.rounded(.down))
            fraction = scaled - scaled.rounded(.down)
        }
        if fraction < 0 { (whole, fraction) = (whole - 1, fraction + 1) }
        guard let nanoseconds = Int64(exactly: whole + Int128(groupTime.nanoseconds)),
            nanoseconds.magnitude <= GroupTime.maximumNanoseconds.magnitude
        else { return nil }
        return (nanoseconds, min(fraction, 1.0.nextDown))
    }

    /// The instant of `media` in nanoseconds of the timebase's timescale, as a floating-point number; nil while paused.
    package func groupNanoseconds(of media: MediaTime) -> Double? {
        groupTimeWithFraction(of: media).map { Double($0.nanoseconds) + $0.fraction }
    }

    /// The instant of `media`, rounded to the nearest nanosecond; nil while paused.
    package func groupTime(of media: MediaTime) -> GroupTime? {
        groupTimeWithFraction(of: media).map {
            GroupTime(nanoseconds: $0.nanoseconds, timescale: groupTime.timescale)
                .advanced(byNanoseconds: $0.fraction >= 0.5 ? 1 : 0)
        }
    }

    /// Where the timeline stands at `time`, to the nanosecond; nil for a time of another timescale, and out of range.
    package func mediaTime(at time: GroupTime) -> MediaTime? {
        guard time.timescale == groupTime.timescale else { return nil }
        guard rate > 0 else { return mediaTime }
        let elapsed = Int128(time.nanoseconds) - Int128(groupTime.nanoseconds)
        let advance = rate == 1 ? elapsed : Int128(exactly: (Double(elapsed) * rate).rounded())
        guard let advance, let nanoseconds = Int64(exactly: advance),
            let distance = MediaTime(value: nanoseconds, timescale: 1_000_000_000)
        else { return nil }
        return mediaTime + distance
    }
}
