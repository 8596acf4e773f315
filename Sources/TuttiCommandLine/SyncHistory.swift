package import TuttiSchema

/// The rooms' sync errors of the last while, for a chart of each.
package struct SyncHistory: Sendable {
    /// Columns that are kept: more than any terminal has.
    static let limit = 1000

    private var samples: [String: [Double?]] = [:]

    /// Nothing yet.
    package init() {}

    /// Takes what the rooms say now. A room that is not playing has no error, which leaves a gap.
    package mutating func append(_ rooms: [RoomStatus]) {
        for room in rooms {
            let key = Self.key(room)
            var column = samples[key] ?? []
            if column.count >= Self.limit { column.removeFirst(column.count - Self.limit + 1) }
            column.append(room.state == .playing ? room.syncErrorUs : nil)
            samples[key] = column
        }
        if samples.count > rooms.count {
            let present = Set(rooms.map(Self.key))
            samples = samples.filter { present.contains($0.key) }
        }
    }

    /// The errors of `room` in µs, oldest first; nil where it had none.
    package subscript(room: RoomStatus) -> [Double?] { samples[Self.key(room)] ?? [] }

    /// Two rooms may have one name.
    private static func key(_ room: RoomStatus) -> String { "\(room.name)@\(room.address)" }
}
