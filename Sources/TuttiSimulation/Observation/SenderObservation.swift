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
    /// Its group clock; nil when it knows none.
    package var clock: ClockObservation?

    /// A sender.
    package init(
        name: String, isRunning: Bool, incarnation: Int, groups: [GroupObservation] = [],
        acknowledgements: [Acknowledgement] = [], unanswered: [UserCommand] = [], clock: ClockObservation? = nil
    ) {
        self.name = name
        self.isRunning = isRunning
        self.incarnation = incarnation
        self.groups = groups
        self.acknowledgements = acknowledgements
        self.unanswered = unanswered
        self.clock = clock
    }
}
