/// One stretch of a reference line: where *playback time* stands against the group clock.
///
/// playback time = group time + `offset` + `slope` · (group time − `group`), in nanoseconds of the group's timescale.
/// Timebases are told in playback time. While no room is the reference the two are the same, or a constant apart.
package struct ReferenceFit: Sendable, Hashable {
    /// The largest magnitude of a slope: 1000 ppm, as a plain ratio.
    package static let maximumSlope = 1_000e-6
    /// The largest magnitude of an offset, in ns: what the largest slope makes in 115 days.
    package static let maximumOffset: Int64 = 10_000_000_000_000

    /// The instant of group time at which the stretch is anchored.
    package let group: GroupTime
    /// Playback time less group time at that instant, in ns.
    package let offset: Int64
    /// How much faster than the group clock playback time runs, as a plain ratio (1e-6 is 1 ppm).
    package let slope: Double

    /// A stretch through (`group`, `offset`). Offset and slope are held inside their limits; a slope that is not a
    /// number counts as 0.
    package init(group: GroupTime, offset: Int64, slope: Double) {
        self.group = group
        self.offset = min(max(offset, -Self.maximumOffset), Self.maximumOffset)
        self.slope = slope.isNaN ? 0 : min(max(slope, -Self.maximumSlope), Self.maximumSlope)
    }

    /// Playback time less group time at `time`, in ns; 0 on another timescale.
    package func offset(at time: GroupTime) -> Double {
        guard time.timescale == group.timescale else { return 0 }
        return Double(offset) + slope * Double(time.nanoseconds(since: group))
    }

    /// The playback time at an instant of group time, to the nanosecond; the instant itself on another timescale.
    package func playbackTime(at time: GroupTime) -> GroupTime {
        // Far inside 64 bits: the span is at most 2⁶³ ns, the slope a thousandth.
        time.advanced(byNanoseconds: Int64(offset(at: time).rounded()))
    }
}
