import TuttiCore
import TuttiHost

/// The group's time as it was last known. By it a host that has slept, and finds the clock again within a second, tells
/// the time until then: what somebody asks for meanwhile is to be done where the timeline stands, and not where its
/// line began.
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
