/// A run of a house: one moment after the other until its time is over.
///
/// The house is seen at even intervals and, besides, right before each step of the script. So what a step does away
/// with has been seen as it last was.
package struct Simulation<House: SimulatedHouse>: Sequence, IteratorProtocol {
    private var house: House
    private let duration: Int64
    private let interval: Int64
    private var steps: ArraySlice<Step>
    private var now: Int64 = 0
    private var applied: [Step] = []

    /// - Parameters:
    ///   - scenario: the house; the script may restrict it.
    ///   - interval: from one observation to the next, in nanoseconds.
    package init(
        _ scenario: Scenario, _ script: Script, bugs: Set<PlantedBug> = [], interval: Int64 = 100_000_000
    ) {
        let scenario = scenario.restricted(to: script)
        house = House(scenario: scenario, seed: script.seed, bugs: bugs)
        duration = scenario.duration
        self.interval = Swift.max(1, interval)
        steps = script.steps[...]
    }

    /// Lets the next steps happen and time pass, and says what is to be seen then; nil when the time is over.
    package mutating func next() -> Moment? {
        guard now < duration else { return nil }
        while let step = steps.first, step.at <= now {
            house.apply(step.action)
            applied.append(step)
            steps.removeFirst()
        }
        let even = (now / interval + 1) * interval
        now = Swift.min(even, steps.first?.at ?? even, duration)
        house.run(until: now)
        defer { applied.removeAll() }
        return Moment(steps: applied, observation: house.observe())
    }
}
