import Testing
import TuttiSimulation

/// Scripts that a seed decides.
@Suite struct RandomScriptTests {
    @Test func aSeedAlwaysGivesTheSame() {
        #expect(Script(for: House.troubled, seed: 7) == Script(for: House.troubled, seed: 7))
        #expect(Script(for: House.troubled, seed: 7).steps != Script(for: House.troubled, seed: 8).steps)
    }

    @Test func stepsStandInOrderAndPlayComesFirst() {
        for seed in UInt64(1)...30 {
            let steps = Script(for: House.troubled, seed: seed).steps
            #expect(steps.first?.description == "0.000s user den house play")
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.at <= $1.at })
            #expect(steps.allSatisfy { $0.at <= House.troubled.duration })
        }
    }

    @Test func everyFaultHasItsEnd() {
        for seed in UInt64(1)...30 {
            var open: [String: Int] = [:]
            for step in Script(for: House.troubled, seed: seed).steps {
                switch step.action {
                case .kill(let machine): open["kill \(machine)", default: 0] += 1
                case .restart(let machine): open["kill \(machine)", default: 0] -= 1
                case .cut(let machine), .impair(let machine, _): open["link \(machine)", default: 0] += 1
                case .mend(let machine): open["link \(machine)", default: 0] -= 1
                case .partition: open["partition", default: 0] += 1
                case .heal: open["partition", default: 0] -= 1
                case .unplug(let room): open["card \(room)", default: 0] += 1
                case .plug(let room): open["card \(room)", default: 0] -= 1
                default: break
                }
                #expect(open.values.allSatisfy { (0...1).contains($0) }, "seed \(seed)")
            }
            #expect(open.values.allSatisfy { $0 == 0 }, "seed \(seed)")
        }
    }

    @Test func everyKindOfFaultAndCommandHappens() {
        var seen: Set<Substring> = []
        for seed in UInt64(1)...60 {
            for step in Script(for: House.troubled, seed: seed).steps {
                let words = step.action.description.split(separator: " ")
                seen.insert(words[0] == "user" ? words[3] : words[0])
            }
        }
        let faults = RandomFaults.Kind.allCases.map { Substring($0.rawValue) }
        let commands = ["pause", "resume", "seek", "next", "add", "remove", "move", "volume", "add-room", "shuffle"]
        #expect(seen.isSuperset(of: faults))
        #expect(seen.isSuperset(of: commands.map { Substring($0) }))
    }

    @Test func onlyTheKindsAskedForHappen() {
        var scenario = House.troubled
        scenario.randomUsers = nil
        scenario.randomFaults = RandomFaults(every: 5 * House.second, kinds: [.xrun])
        let steps = Script(for: scenario, seed: 1).steps.dropFirst()
        #expect(steps.count > 20)
        #expect(steps.allSatisfy { if case .xrun = $0.action { true } else { false } })
    }
}
