import TuttiCore
package import TuttiSchema

extension PlayerStatus {
    /// Whether every room holds the programme up to `seconds`.
    package func isLoaded(to seconds: Double) -> Bool {
        !rooms.isEmpty && rooms.allSatisfy { $0.loaded.ranges.contains { $0.end.seconds >= seconds } }
    }
}

extension RoomStatus {
    /// Whether the room holds the programme from one place to another without a hole, in seconds.
    func holds(from start: Double, to end: Double) -> Bool {
        figures.loaded.ranges.contains { $0.start.seconds <= start && $0.end.seconds >= end }
    }
}
