/// A house in virtual time. All of its randomness comes from the seed: the same calls give the same observations.
package protocol SimulatedHouse {
    /// The house at time 0, with all machines running and nothing played yet.
    init(scenario: Scenario, seed: UInt64, bugs: Set<PlantedBug>)

    /// Lets something happen now, at the time that `run` has reached.
    mutating func apply(_ action: Action)

    /// Lets time pass until `time`, in nanoseconds since the beginning, not before the time reached.
    mutating func run(until time: Int64)

    /// What is to be seen now, and what played and acknowledged since the last observation.
    mutating func observe() -> HouseObservation
}
