/// What is written down of a house while it runs, for people who want to know how it would sound.
package struct HouseRecord: Sendable {
    private var rooms: [RoomRecord]
    private let index: [String: Int]

    /// Before the beginning of a run.
    package init(_ scenario: Scenario) {
        rooms = scenario.rooms.map { RoomRecord(name: $0.name) }
        index = Dictionary(
            scenario.rooms.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes in a moment.
    package mutating func note(_ moment: Moment) {
        for step in moment.steps {
            guard let names = Self.recovering(step.action) else { continue }
            for name in names.isEmpty ? rooms.map(\.name) : names {
                if let place = index[name] { rooms[place].recover(from: step.at) }
            }
        }
        for (place, room) in moment.observation.rooms.enumerated() where rooms.indices.contains(place) {
            rooms[place].note(room, at: moment.observation.at)
        }
    }

    /// Rooms that a step brings back from a fault; an empty list for all of them, nil where there is none.
    private static func recovering(_ action: Action) -> [String]? {
        switch action {
        case .restart(.speaker(let room)), .thaw(.speaker(let room)), .wake(.speaker(let room)),
            .mend(.speaker(let room)), .xrun(let room), .plug(let room):
            [room]
        case .restart(.sender), .thaw(.sender), .wake(.sender), .mend(.sender), .heal: []
        default: nil
        }
    }

    /// What it comes to, room by room.
    package var figures: [RoomFigures] { rooms.map(\.figures) }
}
