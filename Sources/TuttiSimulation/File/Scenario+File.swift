import TuttiCore

extension Scenario {
    /// The longest a song, a buffer or a wait may be, in nanoseconds: a day.
    static let day: Int64 = 86_400_000_000_000

    private static let keys = ["seed", "duration", "buffer", "rooms", "senders", "songs", "groups", "faults", "random"]

    /// Reads a scenario file, as `docs/simulation.md` describes it.
    ///
    /// - Parameter file: its name, for messages.
    /// - Throws: `SimulationError.malformed` for the first thing that is wrong.
    package init(yaml text: String, file: String) throws(SimulationError) {
        let top = try YAMLValue(text: text, file: file)
        let fields = try top.fields("a house", Self.keys)
        guard let roomList = fields["rooms"] else { throw top.fault("the rooms are missing") }
        let duration = try fields["duration"]?.read("duration", ScriptReader.duration) ?? 600_000_000_000
        let buffer = try fields["buffer"]?.time("buffer", in: 1_000_000_000...Self.day) ?? 300_000_000_000
        let rooms = try Self.rooms(roomList, buffer: buffer)
        let senders = try fields["senders"].map(Self.senders) ?? [SenderPlan(name: "sender")]
        let songs =
            try fields["songs"].map(Self.songs) ?? [Song(name: "song", length: 240_000_000_000)]
        self.init(duration: duration, rooms: rooms, senders: senders, songs: songs, groups: [])
        if let seed = fields["seed"] { self.seed = UInt64(try seed.integer("seed", in: 0...Int.max)) }
        groups = try fields["groups"].map(readGroups) ?? [usualGroup]
        if let faults = fields["faults"] { steps = try readSteps(faults) }
        if let random = fields["random"] { try readRandom(random) }
    }

    /// All rooms, and the songs in order, again and again.
    private var usualGroup: GroupPlan {
        GroupPlan(
            name: "house", sender: senders.first?.name ?? "", rooms: rooms.map(\.name), queue: songs.map(\.name),
            repeats: .all)
    }

    private func readSteps(_ value: YAMLValue) throws(SimulationError) -> [Step] {
        var steps: [Step] = []
        for line in try value.list("faults") {
            let step = try line.read("a fault") { (text) throws(SyntaxFault) in
                let step = try Step(line: text)
                if let message = missing(for: step.action) { throw SyntaxFault(message) }
                return step
            }
            steps.append(step)
        }
        return steps
    }

    private mutating func readRandom(_ value: YAMLValue) throws(SimulationError) {
        let fields = try value.fields("random", ["faults", "users"])
        if let faults = fields["faults"] { randomFaults = try Self.randomFaults(faults) }
        if let users = fields["users"] { randomUsers = try Self.randomUsers(users) }
    }

    private static func randomFaults(_ value: YAMLValue) throws(SimulationError) -> RandomFaults {
        let fields = try value.fields("random faults", ["every", "kinds", "lasting"])
        var faults = RandomFaults(every: try fields["every"]?.time("every", in: 100_000_000...day) ?? 60_000_000_000)
        if let kinds = fields["kinds"] {
            faults.kinds = []
            for kind in try kinds.list("kinds") {
                faults.kinds.append(try kind.choice("a kind", RandomFaults.Kind.self))
            }
        }
        if let lasting = fields["lasting"] {
            (faults.shortest, faults.longest) = try lasting.times("lasting", in: 1_000_000...day)
        }
        return faults
    }

    private static func randomUsers(_ value: YAMLValue) throws(SimulationError) -> RandomUsers {
        let fields = try value.fields("random users", ["every", "soonest"])
        var users = RandomUsers(every: try fields["every"]?.time("every", in: 100_000_000...day) ?? 30_000_000_000)
        if let soonest = fields["soonest"] { users.soonest = try soonest.time("soonest", in: 0...day) }
        return users
    }
}
