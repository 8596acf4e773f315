package import TuttiCore

/// The line between programme and clock: from `group` on, the programme stands at `media` and runs at `rate`.
///
/// A rate of 0 holds the programme at `media` from that instant on. A command in the past takes effect as if it had
/// come in time.
package struct TimebaseCommand: Sendable, Equatable {
    /// 1 while playing, 0 while paused; other rates belong to later versions.
    package var rate: Double
    /// The media time at the anchor.
    package var media: MediaTime
    /// The instant of the anchor.
    package var group: GroupTime

    /// A command.
    package init(rate: Double, media: MediaTime, group: GroupTime) {
        self.rate = rate
        self.media = media
        self.group = group
    }
}
