/// Since when the machines of a house have been left alone. What is only to hold once things have settled asks here.
package struct Calm: Sendable {
    /// In the scenario's order.
    package private(set) var rooms: [Troubles]
    /// In the scenario's order.
    package private(set) var senders: [Troubles]
    /// The last time that anything happened to anything.
    package private(set) var house = Troubles.never

    /// The longest that a frame to a machine and its answer may wait behind others on its link, in nanoseconds: with
    /// another such link an exchange takes less than the half second after which its answer counts for nothing.
    static let longestQueue: Int64 = 200_000_000

    private let roomIndex: [String: Int]
    private let senderIndex: [String: Int]
    private var last: HouseObservation?

    /// Before the beginning of a run.
    package init(_ scenario: Scenario) {
        rooms = Array(repeating: Troubles(), count: scenario.rooms.count)
        senders = Array(repeating: Troubles(), count: scenario.senders.count)
        roomIndex = Self.index(scenario.rooms.map(\.name))
        senderIndex = Self.index(scenario.senders.map(\.name))
    }

    private static func index(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes in a moment: what was done to the house, and what can be seen to have changed.
    package mutating func note(_ moment: Moment) {
        for step in moment.steps { note(step.action, at: step.at) }
        let now = moment.observation
        if let last { compare(last, now) }
        for (index, room) in now.rooms.enumerated() where index < rooms.count && room.queueing > Self.longestQueue {
            rooms[index].queue = now.at
        }
        for (index, sender) in now.senders.enumerated()
        where index < senders.count && sender.queueing > Self.longestQueue { senders[index].queue = now.at }
        last = now
    }

    /// Where a room is in the scenario's order.
    func room(_ name: String) -> Int? { roomIndex[name] }

    private mutating func note(_ action: Action, at time: Int64) {
        house = time
        switch action {
        case .kill(let machine), .restart(let machine), .freeze(let machine), .thaw(let machine),
            .suspend(let machine), .wake(let machine):
            change(machine) { $0.process = time }
        case .impair(let machine, _), .cut(let machine), .mend(let machine), .readdress(let machine):
            change(machine) { $0.link = time }
        case .partition, .heal:
            for index in rooms.indices { rooms[index].link = time }
            for index in senders.indices { senders[index].link = time }
        case .step(let machine, _), .drift(let machine, _): change(machine) { $0.oscillator = time }
        case .xrun(let room), .unplug(let room), .plug(let room): change(.speaker(room)) { $0.card = time }
        case .diskFull, .diskFree: break
        case .user(let sender, _, _):
            change(.sender(sender)) { $0.command = time }
            for index in rooms.indices { rooms[index].command = time }
        }
    }

    private mutating func change(_ machine: Machine, _ body: (inout Troubles) -> Void) {
        switch machine {
        case .speaker(let name): if let index = roomIndex[name] { body(&rooms[index]) }
        case .sender(let name): if let index = senderIndex[name] { body(&senders[index]) }
        }
    }

    private mutating func compare(_ old: HouseObservation, _ new: HouseObservation) {
        noteLeaders(old, new)
        for (index, (before, now)) in zip(old.rooms, new.rooms).enumerated() where index < rooms.count {
            if before.isRunning != now.isRunning || before.incarnation != now.incarnation {
                rooms[index].process = new.at
            }
            if before.timebase != now.timebase || before.generation != now.generation || before.owner != now.owner {
                rooms[index].timebase = new.at
            }
            if before.isPlugged != now.isPlugged { rooms[index].card = new.at }
            if before.clock?.timescale != now.clock?.timescale { rooms[index].timescale = new.at }
        }
        for (index, (before, now)) in zip(old.senders, new.senders).enumerated() where index < senders.count {
            if before.isRunning != now.isRunning || before.incarnation != now.incarnation {
                senders[index].process = new.at
            }
            if before.groups.map(\.timebase) != now.groups.map(\.timebase) { senders[index].timebase = new.at }
        }
    }
    // MARK: Leaders

    /// Whom a member of a clock has its time from.
    private struct Origin: Equatable {
        var timescale: UInt64
        var parent: Machine?
        /// At the end of the way that begins with the parent.
        var leader: Machine?

        init(_ clock: ClockObservation, in house: HouseClocks) {
            (timescale, parent, leader) = (clock.timescale, clock.leader, house.leader(above: clock))
        }
    }

    /// Whoever takes up another parent, or whose leader follows another one now, has its time from elsewhere.
    private mutating func noteLeaders(_ old: HouseObservation, _ new: HouseObservation) {
        let isCalm =
            zip(old.rooms, new.rooms).allSatisfy { one, other in
                guard let clock = one.clock, let next = other.clock else { return one.clock == other.clock }
                return clock.hasParent(of: next)
            }
            && zip(old.senders, new.senders).allSatisfy { one, other in
                one.clocks.elementsEqual(other.clocks) { $0.hasParent(of: $1) }
            }
        guard !isCalm else { return }
        let (before, now) = (HouseClocks(old), HouseClocks(new))
        for (index, (one, other)) in zip(old.rooms, new.rooms).enumerated() where index < rooms.count {
            let origins = (one.clock.map { Origin($0, in: before) }, other.clock.map { Origin($0, in: now) })
            if origins.0 != origins.1 { rooms[index].leader = new.at }
        }
        for (index, (one, other)) in zip(old.senders, new.senders).enumerated() where index < senders.count {
            let origins = (one.clocks.map { Origin($0, in: before) }, other.clocks.map { Origin($0, in: now) })
            if origins.0 != origins.1 { senders[index].leader = new.at }
        }
    }
}
