import TuttiClock
import TuttiCore
import TuttiTiming
import TuttiWire

/// An announcement is an overlay in its rooms: it takes their clocks as they are.
///
/// A room that has a clock keeps it; only one that has none is told of the clock that the others share. Rooms with
/// different clocks are each told the same instant on their own clock.
extension RoomGroup {
    /// Standard deviation of a clock that is good enough to name an instant on it, in ns.
    private static let settledSigma = 100_000.0

    /// Whether what is played is mixed into what the rooms play.
    var isOverlay: Bool { configuration.policy == .default }

    /// Follows the clock of a room separately when it is another than the timeline's.
    func enterClock(of room: Room, _ welcome: Welcome) {
        leaveClock(of: room)
        guard let known = welcome.clock, known.timescale != plan.timescale, let address = room.clock.address,
            let clock = try? host.startClock(configuration.clock)
        else { return }
        clock.follow(known.timescale, parents: [address], startingFrom: estimate(of: known))
        room.clock.own = clock
    }

    /// Ends what `enterClock` began.
    func leaveClock(of room: Room) {
        room.clock.own?.stop()
        room.clock.own = nil
    }

    /// Whether an instant can be named on the room's clock.
    func isClockSettled(of room: Room) -> Bool {
        guard let own = room.clock.own else { return true }
        guard let theirs = own.estimates.read(), let ours = clock.estimates.read() else { return false }
        let host = now.nanoseconds
        return max(theirs.sigma(atHostNanoseconds: host), ours.sigma(atHostNanoseconds: host)) <= Self.settledSigma
    }

    /// The timebase in force, on the room's clock.
    func command(for room: Room) -> TimebaseCommand {
        guard let own = room.clock.own?.estimates.read(),
            let instant = clock.estimates.read()?.hostTime(of: playhead.group)
        else { return playhead.command }
        return TimebaseCommand(rate: playhead.rate, media: playhead.media, group: own.groupTime(at: instant))
    }
}
