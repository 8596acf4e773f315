/// What happens to a house, and when. With the scenario it decides all of a run.
package struct Script: Sendable, Equatable, Codable {
    /// The seed of everything else: delays, losses, what programs draw for themselves.
    package var seed: UInt64
    /// How long the run takes, in nanoseconds, where that is not the scenario's time.
    package var duration: Int64?
    /// The only rooms that there are, where those are not all of the scenario's.
    package var rooms: [String]?
    /// What happens, in order of time; what happens at one time happens in this order.
    package var steps: [Step]

    /// A script.
    package init(seed: UInt64, steps: [Step] = []) {
        self.seed = seed
        self.steps = steps
    }
}
