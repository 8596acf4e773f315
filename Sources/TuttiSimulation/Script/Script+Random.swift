extension Script {
    /// What happens to a house by its scenario and a seed: what the scenario has for certain, and what the seed adds to
    /// it.
    package init(for scenario: Scenario, seed: UInt64) {
        let starts = scenario.groups.compactMap { group in
            group.start.map { Step(at: $0, .user(sender: group.sender, group: group.name, .play)) }
        }
        var all = starts + scenario.steps
        if let faults = scenario.randomFaults {
            var maker = FaultMaker(scenario, faults, seed: seed)
            all += maker.steps()
        }
        if let users = scenario.randomUsers {
            var maker = UserMaker(scenario, users, seed: seed)
            all += maker.steps()
        }
        // What is at one time keeps the order in which it was made.
        let ordered = all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        self.init(seed: seed, steps: ordered.map(\.element))
    }
}
