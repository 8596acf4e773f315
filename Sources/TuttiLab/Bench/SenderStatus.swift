import Foundation

/// What the lab reads of `tutti status --json`.
package struct SenderStatus: Sendable, Decodable, Equatable {
    /// One room in it.
    package struct Room: Sendable, Decodable, Equatable {
        package var name: String
        package var state: String
        package var loaded: [[Double]]
        package var syncErrorUs: Double?
        package var syncErrorP99Us: Double?

        /// Whether the room holds the programme from one place to another without a hole.
        package func holds(from start: Double, to end: Double) -> Bool {
            loaded.contains { $0.count == 2 && $0[0] <= start && $0[1] >= end }
        }
    }

    package var state: String
    package var position: Double
    package var rooms: [Room]

    package init(state: String, position: Double, rooms: [Room]) {
        self.state = state
        self.position = position
        self.rooms = rooms
    }

    /// Whether every room holds the programme up to `seconds`.
    package func isLoaded(to seconds: Double) -> Bool {
        !rooms.isEmpty && rooms.allSatisfy { room in room.loaded.contains { $0.count == 2 && $0[1] >= seconds } }
    }
}
