import TuttiCore
import TuttiHost

/// The group's time as it was last known. A host that has slept finds the clock again within a second. Until then it
/// tells the time by this, so that a command meanwhile takes effect where the timeline stands, and not where its
/// timebase begins.
struct KnownTime: Sendable {
    private let group: GroupTime
    private let host: HostTime
    /// For how long the host had slept by then, nanoseconds.
    private let slept: Int64

    init(_ group: GroupTime, by clock: HostClock) {
        (self.group, host, slept) = (group, clock.now(), clock.slept().lowerBound)
    }

    var timescale: TimescaleID { group.timescale }

    /// The group's time now, as far as this host's own clocks tell.
    func now(by clock: HostClock) -> GroupTime {
        group.advanced(byNanoseconds: clock.now().nanoseconds(since: host) + clock.slept().lowerBound - slept)
    }
}
