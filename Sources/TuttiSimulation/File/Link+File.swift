import TuttiCards

extension Link {
    private static let second: Int64 = 1_000_000_000

    /// A link: a profile's name, or numbers of its own for both ways, or under `up` and `down` for each.
    init(_ value: YAMLValue) throws(SimulationError) {
        if value.isScalar {
            let name = try value.text("link")
            guard let link = Self.profiles.first(where: { $0.name == name }) else {
                let names = Self.profiles.map(\.name).joined(separator: ", ")
                throw value.fault("no such link: '\(name)'; use \(names), or {delay: …} with your own numbers")
            }
            self = link
            return
        }
        let keys = ["delay", "jitter", "loss", "stall", "rate", "air", "queue", "fair"]
        let fields = try value.fields("a link", keys + ["up", "down", "seed"])
        if let seed = fields["seed"] {
            guard fields.count == 1 else { throw value.fault("a link with a seed must have no other keys") }
            self = .drawn(seed: UInt64(try seed.integer("seed", in: 0...(1 << 40))))
            return
        }
        guard let up = fields["up"], let down = fields["down"] else {
            if fields["up"] != nil || fields["down"] != nil {
                throw value.fault("a link needs both up and down, or neither")
            }
            let both = try Self.direction(fields)
            self.init(name: "own", up: both, down: both)
            return
        }
        guard fields.count == 2 else { throw value.fault("a link with up and down must have no other keys") }
        self.init(
            name: "own", up: try Self.direction(try up.fields("up", keys)),
            down: try Self.direction(try down.fields("down", keys)))
    }

    private static func direction(_ fields: [String: YAMLValue]) throws(SimulationError) -> Direction {
        var direction = Direction(delay: try fields["delay"]?.time("delay", in: 0...10 * second) ?? 80_000)
        if let jitter = fields["jitter"] { direction.jitter = try jitter.time("jitter", in: 0...second) }
        if let loss = fields["loss"] { direction.loss = try loss.read("loss", NumberText.share) }
        if let rate = fields["rate"] { direction.bitsPerSecond = try rate.read("rate", NumberText.rate) }
        if let air = fields["air"] {
            guard direction.bitsPerSecond != nil else { throw air.fault("an air needs a rate") }
            direction.air = try air.text("air")
        }
        if let queue = fields["queue"] {
            guard direction.bitsPerSecond != nil else { throw queue.fault("a queue needs a rate") }
            direction.queue = try queue.time("queue", in: 100_000...10 * second)
        }
        if let fair = fields["fair"] { direction.isFair = try fair.isTrue("fair") }
        if let stall = fields["stall"] { direction.stall = try self.stall(stall) }
        return direction
    }

    private static func stall(_ value: YAMLValue) throws(SimulationError) -> LinkTraits.Stall {
        let fields = try value.fields("stall", ["every", "lasting"])
        let period = try fields["every"]?.time("every", in: 10_000_000...3600 * second) ?? 2 * second
        let (shortest, longest) =
            try fields["lasting"]?.times("lasting", in: 0...period) ?? (0, min(period, 40_000_000))
        return LinkTraits.Stall(period: period, shortest: shortest, longest: longest)
    }
}
