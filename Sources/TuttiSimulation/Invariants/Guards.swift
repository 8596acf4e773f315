/// All invariants together.
package struct Guards: Sendable {
    /// Every invariant that there is.
    package static let all: [any Invariant.Type] = [
        GroupTimeBound.self, NoGapWhileLoaded.self, NothingTwice.self, OneTimeline.self, AcknowledgedIsKept.self,
        BoundedMemory.self, OneLeader.self,
    ]

    private var calm: Calm
    private var invariants: [any Invariant]

    /// Before the beginning of a run.
    package init(_ scenario: Scenario, _ types: [any Invariant.Type] = all) {
        calm = Calm(scenario)
        invariants = types.map { $0.init(scenario) }
    }

    /// Where one does not hold.
    package mutating func check(_ moment: Moment) -> [Violation] {
        calm.note(moment)
        var violations: [Violation] = []
        for index in invariants.indices { violations += invariants[index].check(moment, calm: calm) }
        return violations
    }
}
