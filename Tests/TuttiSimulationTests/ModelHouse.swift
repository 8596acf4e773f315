import TuttiCore
import TuttiSimulation

/// A house as it should be, without programs: what the invariants are tried on. It has one sender with one group, whose
/// clock is true time.
struct ModelHouse: SimulatedHouse {
    static let tick: Int64 = 10_000_000
    private static let bytesPerSecond: Int64 = 100_000

    let scenario: Scenario
    let bugs: Set<PlantedBug>
    var rooms: [ModelRoom]
    var sender: ModelSender
    var now: Int64 = 0
    private var cutOff: Set<Machine> = []
    private var side: Set<Machine> = []
    private var random: SplitMix64
    private let timescale: UInt64 = 0xC10C

    init(scenario: Scenario, seed: UInt64, bugs: Set<PlantedBug>) {
        self.scenario = scenario
        self.bugs = bugs
        random = SplitMix64(seed: seed)
        rooms = scenario.rooms.map { ModelRoom($0) }
        sender = ModelSender(scenario)
    }

    mutating func apply(_ action: Action) {
        switch action {
        case .kill(.sender), .suspend(.sender), .freeze(.sender): sender.isRunning = false
        case .restart(.sender): sender.restart()
        case .thaw(.sender), .wake(.sender): sender.isRunning = true
        case .kill(.speaker(let name)): change(name) { $0.kill() }
        case .restart(.speaker(let name)): change(name) { $0.restart() }
        case .freeze(.speaker(let name)), .suspend(.speaker(let name)): change(name) { $0.isRunning = false }
        case .thaw(.speaker(let name)), .wake(.speaker(let name)): change(name) { $0.isRunning = true }
        case .unplug(let name): change(name) { $0.isPlugged = false }
        case .plug(let name): change(name) { $0.isPlugged = true }
        case .cut(let machine): cutOff.insert(machine)
        case .mend(let machine): cutOff.remove(machine)
        case .partition(let machines): side = Set(machines)
        case .heal: side = []
        case .user(_, _, let command): sender.obey(command, at: now, writes: !bugs.contains(.earlyAcknowledgement))
        case .impair, .readdress, .step, .drift, .xrun, .diskFull, .diskFree: break
        }
    }

    private mutating func change(_ name: String, _ body: (inout ModelRoom) -> Void) {
        if let index = rooms.firstIndex(where: { $0.name == name }) { body(&rooms[index]) }
    }

    mutating func run(until time: Int64) {
        while now < time {
            let next = min(time, now + Self.tick)
            if now.isMultiple(of: 10 * House.second), sender.isRunning { sender.write() }
            for index in rooms.indices {
                serve(index)
                rooms[index].play(from: now, to: next, timeline: sender.timeline, bug: bug(index))
            }
            now = next
        }
    }

    /// The bug that the last room has at this time.
    private func bug(_ index: Int) -> PlantedBug? {
        guard index == rooms.count - 1, now.isMultiple(of: 10 * House.second) else { return nil }
        return [.repeatedSound, .silentWhileLoaded].first(where: bugs.contains)
    }

    private mutating func serve(_ index: Int) {
        guard sender.isRunning, rooms[index].isRunning, reaches(.sender(sender.name), .speaker(rooms[index].name))
        else {
            return
        }
        let isDeaf = bugs.contains(.unheardTimebase) && index == rooms.count - 1 && rooms[index].timebase != nil
        if !isDeaf {
            rooms[index].take(sender.timebase, generation: sender.generation, cut: sender.timeline.last?.media ?? 0)
        }
        let speed = 30 * Self.tick
        rooms[index].load(to: min(rooms[index].loaded + speed, sender.place(at: now) + scenario.rooms[index].buffer))
    }

    private func reaches(_ one: Machine, _ other: Machine) -> Bool {
        one == other || !cutOff.contains(one) && !cutOff.contains(other) && side.contains(one) == side.contains(other)
    }

    mutating func observe() -> HouseObservation {
        let sides = self.sides
        let seen = rooms.indices.map { index -> RoomObservation in
            let clock = self.clock(of: .speaker(rooms[index].name), sides)
            let jitter = Int64(random.next() % 2000) - 1000
            let late = jitter + (bugs.contains(.lateRoom) && index == rooms.count - 1 ? 5_000_000 : 0)
            var room = rooms[index].observe(clock: clock, late: late)
            room.bufferedBytes = (rooms[index].loaded - rooms[index].place) / 1_000_000_000 * Self.bytesPerSecond
            room.bufferBytes = bugs.contains(.creditIgnored) ? 0 : scenario.rooms[index].bufferBytes
            return room
        }
        let connections = rooms.map { room in
            ConnectionObservation(
                room: room.name, sent: 1000, granted: bugs.contains(.creditIgnored) ? 0 : 1000, waiting: 0)
        }
        let clock = self.clock(of: .sender(sender.name), sides)
        return HouseObservation(
            at: now, rooms: seen, senders: [sender.observe(clock: clock, connections: connections)], sides: sides)
    }

    private var sides: [[Machine]] {
        var sides: [[Machine]] = []
        for machine in scenario.machines {
            if let index = sides.firstIndex(where: { reaches($0[0], machine) }) {
                sides[index].append(machine)
            } else {
                sides.append([machine])
            }
        }
        return sides
    }

    /// The first of those who run and reach each other leads.
    private func clock(of machine: Machine, _ sides: [[Machine]]) -> ClockObservation {
        let side = sides.first { $0.contains(machine) } ?? []
        let leader = side.first { member in
            member == .sender(sender.name)
                ? sender.isRunning : rooms.contains { $0.name == member.name && $0.isRunning }
        }
        let last = rooms[rooms.count - 1]
        let isStubborn = bugs.contains(.stubbornLeader) && machine == .speaker(last.name) && last.wasAlone
        return ClockObservation(
            timescale: timescale, leader: leader == machine || isStubborn ? nil : leader, isCurrent: true, sigma: 1_000)
    }
}
