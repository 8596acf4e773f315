/// A timescale has one leader or, in a partition, one for each side, and heals.
package struct OneLeader: Invariant {
    package static let name = "leader"

    /// How long a side may take to have one leader again after it has changed, in nanoseconds.
    static let election: Int64 = 5_000_000_000

    /// By side, in the order of machines: since when it is as it is.
    private var since: [[Machine]: Int64] = [:]

    package init(_ scenario: Scenario) {}

    package mutating func check(_ moment: Moment, calm: Calm) -> [Violation] {
        let now = moment.observation
        var clocks: [Machine: ClockObservation] = [:]
        var running: Set<Machine> = []
        for sender in now.senders where sender.isRunning {
            running.insert(.sender(sender.name))
            clocks[.sender(sender.name)] = sender.clock
        }
        for room in now.rooms where room.isRunning {
            running.insert(.speaker(room.name))
            clocks[.speaker(room.name)] = room.clock
        }
        let sides = now.sides.map { $0.filter(running.contains) }.filter { !$0.isEmpty }
        since = Dictionary(sides.map { ($0, since[$0] ?? now.at) }, uniquingKeysWith: min)
        // A clock that was set, or a link made worse, may cost a leader its place.
        let settled = max(
            calm.rooms.map { max($0.process, $0.link, $0.oscillator) }.max() ?? 0,
            calm.senders.map { max($0.process, $0.link, $0.oscillator) }.max() ?? 0)
        // Where answers stand in a queue for longer than anybody waits for them, or orders do not come, each goes on alone.
        let isHindered = (calm.rooms + calm.senders).contains(where: \.isHindered)
        guard now.at - settled > Self.election, !isHindered else { return [] }
        // A room that plays for nobody keeps its clock warm, and nobody asks it.
        let followed = Set(clocks.values.compactMap(\.leader))
        for room in now.rooms where room.owner == nil && !followed.contains(.speaker(room.name)) {
            clocks[.speaker(room.name)] = nil
        }
        return sides.flatMap { side in
            now.at - (since[side] ?? now.at) > Self.election ? check(side, clocks, at: now.at) : []
        }
    }

    /// Looks at machines that all reach each other and have for a while.
    private func check(_ side: [Machine], _ clocks: [Machine: ClockObservation], at now: Int64) -> [Violation] {
        var leaders: [UInt64: Machine] = [:]
        var violations: [Violation] = []
        for machine in side {
            guard let clock = clocks[machine], clock.leader == nil else { continue }
            if let other = leaders[clock.timescale] {
                let message = "leads timescale \(Self.text(clock.timescale)), as \(other) does"
                violations.append(Self.violation(now, machine, message))
            } else {
                leaders[clock.timescale] = machine
            }
        }
        for machine in side {
            guard let clock = clocks[machine], clock.leader != nil else { continue }
            if let message = broken(machine, clock.timescale, within: side, clocks) {
                violations.append(Self.violation(now, machine, message))
            }
        }
        return violations
    }

    /// What is wrong with the way from a machine to its leader: each may follow one that follows another.
    private func broken(
        _ machine: Machine, _ timescale: UInt64, within side: [Machine], _ clocks: [Machine: ClockObservation]
    ) -> String? {
        var place = machine
        for _ in side {
            guard let next = clocks[place]?.leader else { return nil }
            guard side.contains(next) else { return "follows \(next), which is not there to be followed" }
            guard clocks[next]?.timescale == timescale else {
                return "follows \(next), which is not on \(Self.text(timescale))"
            }
            place = next
        }
        return "follows \(place) in a circle"
    }

    private static func text(_ timescale: UInt64) -> String { String(timescale, radix: 16) }
}
