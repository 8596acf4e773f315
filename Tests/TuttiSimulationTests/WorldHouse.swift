import TuttiCore
import TuttiSimulation

/// Houses for tests.
enum WorldHouse {
    static let second: Int64 = 1_000_000_000

    /// Rooms `room1` … that one sender, `desk`, plays songs of three minutes in as the group `all`.
    static func scenario(
        rooms: Int, minutes: Int64 = 1, link: Link = .lan, crossfade: Int64 = 0, songs: Int = 3
    ) -> Scenario {
        let names = (1...max(rooms, 1)).map { "room\($0)" }
        let plans = names.enumerated().map { index, name in
            RoomPlan(
                name: name, link: link, card: Card(ppm: Double(index * 37 % 120) - 60),
                clockPpm: Double(index * 53 % 80) - 40)
        }
        let pieces = (0..<songs).map { Song(name: "song\($0)", length: 180 * second) }
        return Scenario(
            duration: minutes * 60 * second, rooms: plans, senders: [SenderPlan(name: "desk", clockPpm: 12)],
            songs: pieces,
            groups: [
                GroupPlan(
                    name: "all", sender: "desk", rooms: names, queue: pieces.map(\.name), crossfade: crossfade,
                    repeats: .all)
            ])
    }

    /// Runs a house and gives all observations.
    static func observe(
        _ scenario: Scenario, seed: UInt64 = 1, bugs: Set<PlantedBug> = [], seconds: Int64, steps: [Step] = []
    ) -> [HouseObservation] {
        var world = World(scenario: scenario, seed: seed, bugs: bugs)
        // The script of the scenario alone begins its groups.
        var (observations, steps) = ([HouseObservation](), (Script(for: scenario, seed: seed).steps + steps)[...])
        for index in 1...(seconds * 4) {
            let time = index * second / 4
            while let step = steps.first, step.at <= time {
                world.run(until: step.at)
                world.apply(step.action)
                steps.removeFirst()
            }
            world.run(until: time)
            observations.append(world.observe())
        }
        return observations
    }

    /// Runs a house by a script, looking ten times a second.
    ///
    /// - Returns: what was seen, and what did not hold.
    static func play(_ scenario: Scenario, _ text: String) throws -> (seen: [HouseObservation], broken: [String]) {
        let script = try Script(text, file: "test", scenario: scenario)
        var guards = Guards(scenario)
        var (seen, broken) = ([HouseObservation](), [String]())
        for moment in Simulation<World>(scenario, script) {
            seen.append(moment.observation)
            broken += guards.check(moment).map(\.description)
        }
        return (seen, broken)
    }
}

extension [HouseObservation] {
    /// What was to be seen at a second.
    func at(_ second: Int64) -> HouseObservation? { first { $0.at == second * WorldHouse.second } }
}

extension RoomTruth {
    /// Whether all that was due played.
    var isUnbroken: Bool { dropouts == 0 && silentLoaded == 0 && silentEmpty == 0 }
}
