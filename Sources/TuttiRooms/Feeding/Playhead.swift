package import TuttiCore
import TuttiWire

/// The timebase that all rooms play on: where the timeline stands at each instant of group time.
package struct Playhead: Sendable, Equatable {
    /// 0 or 1.
    package let rate: Double
    /// The media time at `group`.
    package let media: MediaTime
    /// The instant from which the timebase holds.
    package let group: GroupTime

    /// A timebase.
    package init(rate: Double, media: MediaTime, group: GroupTime) {
        self.rate = rate
        self.media = media
        self.group = group
    }

    /// The place in the timeline at `time`; `media` before `group` and while the rate is 0.
    package func media(at time: GroupTime) -> MediaTime {
        guard rate > 0, time.timescale == group.timescale else { return media }
        let (elapsed, overflow) = time.nanoseconds.subtractingReportingOverflow(group.nanoseconds)
        guard !overflow, elapsed > 0, let distance = MediaTime(value: elapsed, timescale: 1_000_000_000) else {
            return media
        }
        return media + distance
    }

    /// The instant at which `time` plays, were the rate 1 throughout.
    package func instant(of time: MediaTime) -> GroupTime { group.advanced(byNanoseconds: (time - media).nanoseconds) }

    /// What a room was told, or plays on.
    init(_ command: TimebaseCommand) {
        self.init(rate: command.rate, media: command.media, group: command.group)
    }

    var command: TimebaseCommand { TimebaseCommand(rate: rate, media: media, group: group) }
}
