import TuttiCards

extension Scenario {
    /// The rooms under `rooms`: names with what they are, or a plain list of names.
    static func rooms(_ value: YAMLValue, buffer: Int64) throws(SimulationError) -> [RoomPlan] {
        var rooms: [RoomPlan] = []
        for (name, value) in try value.entries("rooms") {
            let fields = try value.fields("a room", ["link", "card", "clock", "buffer", "bytes"])
            var room = RoomPlan(name: name, buffer: buffer)
            if let link = fields["link"] { room.link = try Link(link) }
            if let card = fields["card"] { room.card = try self.card(card) }
            if let clock = fields["clock"] { room.clockPpm = try ppm(clock) }
            if let buffer = fields["buffer"] { room.buffer = try buffer.time("buffer", in: 1_000_000_000...day) }
            if let bytes = fields["bytes"] {
                room.bufferBytes = Int64(try bytes.integer("bytes", in: 1_000_000...(1 << 40)))
            }
            rooms.append(room)
        }
        guard !rooms.isEmpty else { throw value.fault("rooms must contain at least one room") }
        return rooms
    }

    /// The senders under `senders`.
    static func senders(_ value: YAMLValue) throws(SimulationError) -> [SenderPlan] {
        var senders: [SenderPlan] = []
        for (name, value) in try value.entries("senders") {
            let fields = try value.fields("a sender", ["link", "clock"])
            var sender = SenderPlan(name: name)
            if let link = fields["link"] { sender.link = try Link(link) }
            if let clock = fields["clock"] { sender.clockPpm = try ppm(clock) }
            senders.append(sender)
        }
        guard !senders.isEmpty else { throw value.fault("senders must contain at least one sender") }
        return senders
    }

    private static func card(_ value: YAMLValue) throws(SimulationError) -> Card {
        let fields = try value.fields("a card", ["ppm", "kind", "seed"])
        var card = Card()
        if let seed = fields["seed"] { card = Card(seed: UInt64(try seed.integer("seed", in: 0...(1 << 40)))) }
        if let rate = fields["ppm"] { card.ppm = try ppm(rate) }
        card.traits?.ppm = card.ppm
        if let kind = fields["kind"] { card.kind = try kind.choice("kind", Card.Kind.self) }
        return card
    }

    private static func ppm(_ value: YAMLValue) throws(SimulationError) -> Double {
        try value.read("ppm", Action.ppm)
    }
}
