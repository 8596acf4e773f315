/// A sender at one instant.
package struct SenderObservation: Sendable, Equatable, Codable {
    package var name: String
    /// Whether its process is there and runs, and its host is awake.
    package var isRunning: Bool
    /// How often its process has been started.
    package var incarnation: Int
    /// In the scenario's order.
    package var groups: [GroupObservation]
    /// Commands answered since the observation before, in order.
    package var acknowledgements: [Acknowledgement]
    /// Commands that were given and not answered yet, or never will be, since the process was started.
    package var unanswered: [UserCommand]
    /// The group clocks that it knows, one for each group that it plays for.
    package var clocks: [ClockObservation]
    /// Nanoseconds that a frame to it and its answer would wait behind others on its link.
    package var queueing: Int64 = 0

    /// A sender.
    package init(
        name: String, isRunning: Bool, incarnation: Int, groups: [GroupObservation] = [],
        acknowledgements: [Acknowledgement] = [], unanswered: [UserCommand] = [], clocks: [ClockObservation] = []
    ) {
        self.name = name
        self.isRunning = isRunning
        self.incarnation = incarnation
        self.groups = groups
        self.acknowledgements = acknowledgements
        self.unanswered = unanswered
        self.clocks = clocks
    }
}
