/// A timescale has one leader or, in a partition, one for each side, and heals: within five seconds after anything
/// happened.
///
/// Machines are on one side when frames get from each to each other and back within the time that an answer may take.
/// One whose link has a longer queue is excused, and who had its time from there until just now; nobody else. Machines
/// of which none knows where one of the others is, neither it nor who is with it, are as good as on two sides: nothing
/// that they say can tell them of each other.
package struct OneLeader: Invariant {
    package static let name = "leader"

    /// How long a side may take to have one leader again after it has changed, in nanoseconds.
    static let election: Int64 = 5_000_000_000

    /// By side, in the order of machines: since when it is as it is.
    private var since: [[Machine]: Int64] = [:]
    /// When a machine last had its time from one that is excused.
    private var led: [Machine: Int64] = [:]
    /// The last house that was looked at in full, where all was well and nobody excused.
    private var sound: Standing?

    /// All that is looked at of a house.
    private struct Standing: Equatable {
        var machines: [Machine] = []
        var clocks = HouseClocks()
        var sides: [[Machine]]

        static func == (one: Standing, other: Standing) -> Bool {
            one.machines == other.machines && one.sides == other.sides
                && one.clocks.all.elementsEqual(other.clocks.all) {
                    $0.member == $1.member && $0.clock.hasParent(of: $1.clock)
                }
        }
    }

    package init(_ scenario: Scenario) {}

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        let now = moment.observation
        let (standing, excused) = Self.standing(now, calm)
        let isPlain =
            excused.isEmpty && now.acquaintances == nil && led.values.allSatisfy { now.at - $0 > Self.election }
        if isPlain, standing == sound { return [] }
        sound = nil
        let running = Set(standing.machines)
        for (member, clock) in standing.clocks.all where isLed(clock, by: excused, standing.clocks) {
            led[member.machine] = now.at
        }
        let near = running.subtracting(excused).filter { now.at - (led[$0] ?? Troubles.never) > Self.election }
        let sides = now.sides.flatMap { Self.acquainted($0.filter(near.contains), now.acquaintances) }
        since = Dictionary(sides.map { ($0, since[$0] ?? now.at) }, uniquingKeysWith: min)
        // A clock that was set, or a link made worse, may cost a leader its place.
        let settled = max(
            calm.rooms.map { max($0.process, $0.link, $0.oscillator) }.max() ?? 0,
            calm.senders.map { max($0.process, $0.link, $0.oscillator) }.max() ?? 0)
        guard now.at - settled > Self.election else { return [] }
        let old = sides.filter { now.at - (since[$0] ?? now.at) > Self.election }
        let violations =
            old.flatMap { side in
                let whole = now.sides.first { $0.contains(side[0]) } ?? side
                return check(side, whole.filter(running.contains), standing.clocks, at: now.at)
            } + forgotten(now, old)
        if isPlain, violations.isEmpty, old.count == sides.count { sound = standing }
        return violations
    }

    /// The machines that run, with their clocks, and those of them that are excused.
    private static func standing(_ now: HouseObservation, _ calm: Calm) -> (Standing, excused: Set<Machine>) {
        var standing = Standing(sides: now.sides)
        var excused: Set<Machine> = []
        func take(_ machine: Machine, _ troubles: Troubles) {
            standing.machines.append(machine)
            if now.at - troubles.queue <= election { excused.insert(machine) }
        }
        for (sender, troubles) in zip(now.senders, calm.senders) where sender.isRunning {
            let machine = Machine.sender(sender.name)
            take(machine, troubles)
            standing.clocks.add(sender.clocks, of: machine)
        }
        for (room, troubles) in zip(now.rooms, calm.rooms) where room.isRunning {
            let machine = Machine.speaker(room.name)
            take(machine, troubles)
            standing.clocks.add([room.clock].compactMap(\.self), of: machine)
        }
        return (standing, excused)
    }

    /// The parts of a side whose members know of each other, or of one who does.
    private static func acquainted(_ side: [Machine], _ acquaintances: [Acquaintance]?) -> [[Machine]] {
        guard let acquaintances else { return side.isEmpty ? [] : [side] }
        var parts = side.map { [$0] }
        for acquaintance in acquaintances {
            guard let first = parts.firstIndex(where: { $0.contains(acquaintance.machine) }),
                let second = parts.firstIndex(where: { $0.contains(acquaintance.other) }), first != second
            else { continue }
            parts[min(first, second)] += parts.remove(at: max(first, second))
        }
        return parts.map { part in side.filter(part.contains) }
    }

    /// Whether somebody on the way from a member to its leader is excused.
    private func isLed(_ clock: ClockObservation, by excused: Set<Machine>, _ clocks: HouseClocks) -> Bool {
        clocks.way(from: clock).contains { excused.contains($0.machine) }
    }

    /// Looks at machines that all reach each other and have for a while.
    ///
    /// - Parameter whole: with those who are reached after a while only.
    private func check(_ side: [Machine], _ whole: [Machine], _ clocks: HouseClocks, at now: Int64) -> [Violation] {
        var leaders: [UInt64: Machine] = [:]
        var violations: [Violation] = []
        let (side, whole) = (Set(side), Set(whole))
        for (member, clock) in clocks.all where side.contains(member.machine) && clock.leader == nil {
            if let other = leaders[clock.timescale] {
                let message = "leads timescale \(Self.text(clock.timescale)), as \(other) does"
                violations.append(Self.violation(now, member.machine, message))
            } else {
                leaders[clock.timescale] = member.machine
            }
        }
        for (member, clock) in clocks.all where side.contains(member.machine) && clock.leader != nil {
            if let message = broken(clock, within: whole, clocks) {
                violations.append(Self.violation(now, member.machine, message))
            }
        }
        return violations
    }

    /// Senders that serve rooms with a programme and know no clock to play it by.
    private func forgotten(_ house: HouseObservation, _ sides: [[Machine]]) -> [Violation] {
        house.senders.compactMap { sender in
            let machine = Machine.sender(sender.name)
            let isPlaying = sender.groups.contains { ($0.timebase?.rate ?? 0) > 0 && !$0.connections.isEmpty }
            guard isPlaying, sender.clocks.isEmpty, sides.contains(where: { $0.contains(machine) }) else { return nil }
            return Self.violation(house.at, machine, "plays for a group without a clock")
        }
    }

    /// What is wrong with the way from a member to its leader: each may follow one that follows another.
    private func broken(_ clock: ClockObservation, within side: Set<Machine>, _ clocks: HouseClocks) -> String? {
        let way = clocks.way(from: clock)
        for (next, parent) in way {
            guard side.contains(next) else { return "follows \(next), which it cannot reach" }
            guard let parent, parent.timescale == clock.timescale
            else { return "follows \(next), which is not on \(Self.text(clock.timescale))" }
        }
        return way.last?.clock?.leader.map { "follows \($0) in a circle" }
    }

    private static func text(_ timescale: UInt64) -> String { String(timescale, radix: 16) }
}
