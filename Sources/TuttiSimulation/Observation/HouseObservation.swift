/// All that is to be seen of a house at one instant, truth included that no machine knows.
package struct HouseObservation: Sendable, Equatable, Codable {
    /// True time, in nanoseconds since the beginning.
    package var at: Int64
    /// In the scenario's order.
    package var rooms: [RoomObservation]
    /// In the scenario's order.
    package var senders: [SenderObservation]
    /// The machines that reach each other, in lists of the scenario's order; a machine whose link is cut is alone.
    package var sides: [[Machine]]
    /// Who knows where whom is; nil where nobody wants to know, since no clock has two leaders.
    package var acquaintances: [Acquaintance]?

    /// An observation.
    package init(at: Int64, rooms: [RoomObservation], senders: [SenderObservation], sides: [[Machine]]) {
        self.at = at
        self.rooms = rooms
        self.senders = senders
        self.sides = sides
    }
}
