/// A sender's connection to a room.
package struct ConnectionObservation: Sendable, Equatable, Codable {
    package var room: String
    /// Payload bytes sent on its media connection since that was opened, and how many the room has granted as far as
    /// the sender knows.
    package var sent: Int64
    package var granted: Int64
    /// Bytes that the sender has handed to the connection and that have not left yet.
    package var waiting: Int64

    /// A connection.
    package init(room: String, sent: Int64, granted: Int64, waiting: Int64) {
        self.room = room
        self.sent = sent
        self.granted = granted
        self.waiting = waiting
    }
}
