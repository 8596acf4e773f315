/// Makes the faults that a seed decides, each with its end.
struct FaultMaker {
    private let scenario: Scenario
    private let faults: RandomFaults
    private var dice: Dice
    /// Until when machines have a fault that the same or another would get mixed up with.
    private var busy: [Machine: Int64] = [:]
    private var partitionEnd: Int64 = 0

    init(_ scenario: Scenario, _ faults: RandomFaults, seed: UInt64) {
        self.scenario = scenario
        self.faults = faults
        dice = Dice(seed: seed, purpose: 0x6661_756C)
    }

    /// Faults from the fifth second on; each is over at the end of the run, or before.
    mutating func steps() -> [Step] {
        var steps: [Step] = []
        var now: Int64 = 5_000_000_000
        while true {
            now += dice.wait(mean: faults.every)
            guard now < scenario.duration, let kind = dice.choice(faults.kinds),
                let machine = dice.choice(scenario.machines), let room = dice.choice(scenario.rooms)?.name
            else { return steps }
            let end = min(scenario.duration, now + dice.time(faults.shortest, faults.longest))
            if kind == .partition {
                steps += partition(at: now, end: end)
                continue
            }
            let victim = kind == .xrun || kind == .unplug ? .speaker(room) : machine
            guard busy[victim, default: 0] <= now else { continue }
            let (fault, recovery) = pair(kind, victim)
            steps.append(Step(at: now, fault))
            guard let recovery else { continue }
            steps.append(Step(at: end, recovery))
            busy[victim] = end
        }
    }

    private mutating func partition(at now: Int64, end: Int64) -> [Step] {
        let side = scenario.machines.filter { _ in dice.flag() }
        guard partitionEnd <= now, !side.isEmpty, side.count < scenario.machines.count else { return [] }
        partitionEnd = end
        return [Step(at: now, .partition(side)), Step(at: end, .heal)]
    }

    /// A fault and its end; nil where it is over at once.
    private mutating func pair(_ kind: RandomFaults.Kind, _ machine: Machine) -> (Action, Action?) {
        switch kind {
        case .kill: (.kill(machine), .restart(machine))
        case .freeze: (.freeze(machine), .thaw(machine))
        case .suspend: (.suspend(machine), .wake(machine))
        case .cut: (.cut(machine), .mend(machine))
        case .slow: (.impair(machine, .slow(bitsPerSecond: Int64(dice.integer(in: 2...40)) * 50_000)), .mend(machine))
        case .lose: (.impair(machine, .lose(share: share())), .mend(machine))
        case .corrupt: (.impair(machine, .corrupt(share: share())), .mend(machine))
        case .duplicate: (.impair(machine, .duplicate(share: share())), .mend(machine))
        case .reorder:
            (.impair(machine, .reorder(share: share(), by: dice.time(1_000_000, 50_000_000))), .mend(machine))
        case .stall: (.impair(machine, .stall(dice.time(50_000_000, 1_000_000_000))), .mend(machine))
        // As narrow as tunnels are.
        case .blackHole: (.impair(machine, .blackHole(bytes: Int64(dice.integer(in: 1_000...1_400)))), .mend(machine))
        case .readdress: (.readdress(machine), nil)
        case .step: (.step(machine, by: (dice.flag() ? 1 : -1) * dice.time(1_000_000, 10_000_000_000)), nil)
        case .drift: (.drift(machine, ppm: Double(dice.integer(in: -50...50))), nil)
        case .diskFull: (.diskFull(machine), .diskFree(machine))
        case .unplug: (.unplug(room: machine.name), .plug(room: machine.name))
        case .xrun, .partition: (.xrun(room: machine.name), nil)
        }
    }

    /// 0.5 to 5 %, in halves of a percent.
    private mutating func share() -> Double { Double(dice.integer(in: 1...10)) / 200 }
}
