/// Rooms agree on the timeline: all that one sender reaches and serves with one programme have the same timebase once it
/// has come to them, and those that were taken out of the group have none of it any more, also where they could not be
/// reached at that time.
package struct OneTimeline: Invariant {
    package static let name = "timeline"

    /// How far two timebases that mean the same may be apart, in nanoseconds: what is lost in fractions.
    static let tolerance: Int64 = 2_000
    /// How long after any change timebases may differ, in nanoseconds.
    static let settling: Int64 = 3_000_000_000
    /// The same after something was done to a link or an address, and of a room that has no connection: one that is
    /// dead counts as such after five seconds of silence, then the room is called where it was, for one, looked for
    /// within five, and called where it is.
    static let reconnecting: Int64 = 12_000_000_000
    /// For how long one who stood still or was away may not have heard what became of a link or an address, in
    /// nanoseconds.
    static let absence: Int64 = 60_000_000_000

    /// Two that wake within so many nanoseconds of each other have not noticed that their connection was silent, which
    /// passes nothing until what was lost on it is sent again.
    static let unnoticed: Int64 = 5_000_000_000

    package init(_ scenario: Scenario) {}

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        let now = moment.observation
        var violations: [Violation] = []
        for (sender, served) in zip(now.senders, calm.senders) {
            guard sender.isRunning, isCalm(served, at: now.at),
                let side = now.sides.first(where: { $0.contains(.sender(sender.name)) })
            else { continue }
            for group in sender.groups {
                guard let timebase = group.timebase else { continue }
                for (room, troubles) in zip(now.rooms, calm.rooms) {
                    let started = max(served.process, troubles.process)
                    let isReached =
                        group.connections.contains { $0.room == room.name }
                        && started - max(served.link, troubles.link) > Self.absence
                        && started - min(served.process, troubles.process) > Self.unnoticed
                    guard room.isRunning, isCalm(troubles, at: now.at),
                        isReached || now.at - started > Self.reconnecting, side.contains(.speaker(room.name)),
                        let own = room.timebase, own.stream == timebase.stream
                    else { continue }
                    let isMember = group.state.level(room.name) != nil
                    let message = isMember ? Self.difference(own, timebase) : "still plays although it was removed"
                    guard let message else { continue }
                    violations.append(Self.violation(now.at, .speaker(room.name), message))
                }
            }
        }
        return violations
    }

    private func isCalm(_ troubles: Troubles, at now: Int64) -> Bool {
        let changed = max(troubles.process, troubles.timebase, troubles.command, troubles.leader, troubles.queue)
        return now - changed > Self.settling && now - troubles.link > Self.reconnecting
    }

    private static func difference(_ own: TimebaseObservation, _ timebase: TimebaseObservation) -> String? {
        guard own.timescale == timebase.timescale else {
            return "its timebase is on another timescale than its sender's"
        }
        guard own.rate == timebase.rate else {
            return "plays at rate \(own.rate), its sender at \(timebase.rate)"
        }
        let start = max(own.group, timebase.group)
        let distance = own.media(at: start) - timebase.media(at: start)
        guard abs(distance) > tolerance else { return nil }
        return "its timebase is \(MicroText.text(distance)) from its sender's"
    }
}

extension TimebaseObservation {
    /// Where the programme stands at an instant of the timebase's timescale, in nanoseconds.
    func media(at instant: Int64) -> Int64 {
        let (elapsed, overflow) = instant.subtractingReportingOverflow(group)
        guard !overflow, elapsed > 0 else { return media }
        return media &+ (rate == 1 ? elapsed : Int64((Double(elapsed) * rate).rounded()))
    }
}
