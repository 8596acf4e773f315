/// What a run came to. Encoded, it is what `tutti simulate --json` prints; the names are those of `docs/json.md`.
package struct HouseReport: Sendable, Equatable {
    package var seed: UInt64
    /// In nanoseconds.
    package var duration: Int64
    package var rooms: [RoomFigures]
    /// The first of each invariant and machine.
    package var violations: [Violation]

    /// A report.
    package init(seed: UInt64, duration: Int64, rooms: [RoomFigures], violations: [Violation]) {
        self.seed = seed
        self.duration = duration
        self.rooms = rooms
        self.violations = violations
    }
}

extension HouseReport: Encodable {
    private enum Keys: String, CodingKey {
        case seed, duration, rooms, violations
    }

    private enum RoomKeys: String, CodingKey {
        case name, syncP50Us, syncP99Us, syncMaxUs, dropouts, longestDropout, bufferMin, bufferTypical, recoveries
        case outOfStepAtEnd
    }

    private enum ViolationKeys: String, CodingKey {
        case invariant, at, machine, message
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(seed, forKey: .seed)
        try container.encode(Self.seconds(duration), forKey: .duration)
        var list = container.nestedUnkeyedContainer(forKey: .rooms)
        for room in rooms {
            var fields = list.nestedContainer(keyedBy: RoomKeys.self)
            try fields.encode(room.name, forKey: .name)
            try fields.encodeIfPresent(room.syncP50.map(Self.micros), forKey: .syncP50Us)
            try fields.encodeIfPresent(room.syncP99.map(Self.micros), forKey: .syncP99Us)
            try fields.encodeIfPresent(room.syncMaximum.map(Self.micros), forKey: .syncMaxUs)
            try fields.encode(room.dropouts, forKey: .dropouts)
            try fields.encode(Self.seconds(room.longestDropout), forKey: .longestDropout)
            try fields.encodeIfPresent(room.bufferMinimum.map(Self.seconds), forKey: .bufferMin)
            try fields.encodeIfPresent(room.bufferTypical.map(Self.seconds), forKey: .bufferTypical)
            try fields.encode(room.recoveries.map(Self.seconds), forKey: .recoveries)
            try fields.encode(room.isOutAtEnd, forKey: .outOfStepAtEnd)
        }
        list = container.nestedUnkeyedContainer(forKey: .violations)
        for violation in violations {
            var fields = list.nestedContainer(keyedBy: ViolationKeys.self)
            try fields.encode(violation.invariant, forKey: .invariant)
            try fields.encode(Self.seconds(violation.at), forKey: .at)
            try fields.encodeIfPresent(violation.machine?.description, forKey: .machine)
            try fields.encode(violation.message, forKey: .message)
        }
    }

    private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
    private static func micros(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e3 }
}
