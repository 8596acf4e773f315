package import TuttiCore

/// A timebase as it is written down.
package struct StoredTimebase: Sendable, Equatable, Codable {
    /// 0 or 1.
    package var rate: Double
    /// The media time at `group`.
    package var media: MediaTime
    /// The instant from which the timebase holds, in ns of the group clock.
    package var group: Int64
    /// The group clock; 0 for none, as before a first start.
    package var timescale: UInt64

    package init(rate: Double, media: MediaTime, group: Int64, timescale: UInt64) {
        (self.rate, self.media, self.group, self.timescale) = (rate, media, group, timescale)
    }

    package init(_ playhead: Playhead) {
        self.init(
            rate: playhead.rate, media: playhead.media, group: playhead.group.nanoseconds,
            timescale: playhead.group.timescale.rawValue)
    }

    /// The playhead; nil for an impossible one.
    package var playhead: Playhead? {
        guard rate == 0 || rate == 1, timescale != 0 else { return nil }
        let instant = GroupTime(nanoseconds: group, timescale: TimescaleID(rawValue: timescale))
        return Playhead(rate: rate, media: media, group: instant)
    }
}
