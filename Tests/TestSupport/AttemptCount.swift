/// Decides from the attempts so far whether a test has passed: it has once more of them passed than failed. An attempt
/// that was disturbed counts neither way; one after the other of them shows nothing in the end, and does not pass.
package struct AttemptCount {
    /// How an attempt went.
    package enum Outcome: Sendable, Equatable {
        case passed
        /// It failed, and the machine kept programs waiting meanwhile.
        case disturbed
        /// It failed on a calm machine.
        case failed
    }

    /// What follows.
    package enum Verdict: Sendable, Equatable {
        case passed
        case undecided
        case failed
    }

    /// The most attempts that count: one, and two repetitions.
    package static let maximum = 3
    /// The most attempts, with those that were disturbed.
    package static let maximumWithDisturbed = 6

    /// The attempts so far, in order.
    package private(set) var outcomes: [Outcome] = []

    package init() {}

    /// Takes an attempt in.
    ///
    /// - Parameter mayRepeat: whether there is time for another one; without it, what is undecided has failed.
    package mutating func note(_ outcome: Outcome, mayRepeat: Bool = true) -> Verdict {
        outcomes.append(outcome)
        let passed = outcomes.count { $0 == .passed }
        let failed = outcomes.count { $0 == .failed }
        if passed > failed { return .passed }
        let left = mayRepeat ? min(Self.maximum - passed - failed, Self.maximumWithDisturbed - outcomes.count) : 0
        return passed + left > failed ? .undecided : .failed
    }
}
