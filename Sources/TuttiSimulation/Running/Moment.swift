/// A house as it was seen once in a run, and what had happened to it since it was seen before.
package struct Moment: Sendable, Equatable {
    /// What happened since the observation before, in order.
    package var steps: [Step]
    package var observation: HouseObservation

    /// A moment.
    package init(steps: [Step], observation: HouseObservation) {
        self.steps = steps
        self.observation = observation
    }
}
