/// A group of a sender at one instant.
package struct GroupObservation: Sendable, Equatable, Codable {
    package var name: String
    /// Whether the sender has it in hand: made, or found in its store after a start.
    package var isKnown: Bool
    package var state: GroupState
    /// The timebase that its rooms are told; nil before it plays.
    package var timebase: TimebaseObservation?
    /// Which cut of the programme is the newest.
    package var generation: UInt32
    /// Payload bytes held for rooms that still need them, and the bound that the sender sets itself.
    package var logBytes: Int64
    package var logLimit: Int64
    package var connections: [ConnectionObservation]

    /// A group.
    package init(
        name: String, isKnown: Bool, state: GroupState = GroupState(), timebase: TimebaseObservation? = nil,
        generation: UInt32 = 0,
        logBytes: Int64 = 0, logLimit: Int64 = .max, connections: [ConnectionObservation] = []
    ) {
        self.name = name
        self.isKnown = isKnown
        self.state = state
        self.timebase = timebase
        self.generation = generation
        self.logBytes = logBytes
        self.logLimit = logLimit
        self.connections = connections
    }
}
