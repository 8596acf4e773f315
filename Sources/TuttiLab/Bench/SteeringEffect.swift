/// What became of a command in the rooms.
package struct SteeringEffect: Sendable, Codable, Equatable {
    package var command: SteeringStep.Record
    /// From the command until the first frame that is not what it would have been without it leaves the card, ms; by
    /// room.
    package var changedMilliseconds: [String: Double] = [:]
    /// From the command until what it asked for is heard, ms; by room. Of a pause and a mute: as `changedMilliseconds`.
    package var heardMilliseconds: [String: Double] = [:]
    /// |offset| of each pair of rooms in the windows of the second after it, µs.
    package var apartMicroseconds: [Double] = []
    /// Corners around the change that the song does not have.
    package var clicks = 0

    /// Of the slowest room; nil when one of `rooms` was not heard to obey.
    package func heard(in rooms: Int) -> Double? {
        heardMilliseconds.count == rooms ? heardMilliseconds.values.max() : nil
    }
}
