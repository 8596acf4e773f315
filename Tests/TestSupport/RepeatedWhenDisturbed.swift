import Synchronization
package import Testing
import TuttiLab

/// Repeats a test that depends on the machine's timing when it fails, and reports how each attempt went.
/// ``AttemptCount`` decides; a ``StallWatch`` and a ``PoolWatch`` tell attempts that the machine or other tests disturbed
/// from those that failed on a calm one. After the former it waits for calm.
package struct RepeatedWhenDisturbed: TestTrait, SuiteTrait, TestScoping {
    /// How long repetitions may last, all in all: a machine on which everything has to be repeated shows nothing, and
    /// late.
    private static let budget = Duration.seconds(600)
    private static let repeated = Mutex(Duration.zero)
    /// Characters of an attempt's first failure that are told again at the end.
    private static let saidOfIssue = 240

    package var isRecursive: Bool { true }

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        var count = AttemptCount()
        var results: [String] = []
        var verdict = AttemptCount.Verdict.undecided
        while verdict == .undecided {
            let begin = ContinuousClock.now
            let (outcome, text) = try await attempt(function)
            let length = ContinuousClock.now - begin
            let isRepetition = !results.isEmpty
            let mayRepeat = Self.repeated.withLock { repeated in
                if isRepetition { repeated += length }
                return repeated + length <= Self.budget
            }
            verdict = count.note(outcome, mayRepeat: mayRepeat)
            if verdict == .undecided, outcome == .disturbed { try await waitForCalm() }
            let isLast = verdict == .failed && !mayRepeat
            results.append(isLast ? text + ", and there is no time to repeat it" : text)
        }
        guard count.outcomes != [.passed] else { return }
        let text = "\(test.name): \(results.joined(separator: "; "))"
        TestNotes.add(text)
        if verdict == .failed { Issue.record("\(text) (what failed is above, as known issues)") }
    }

    /// Waits until the machine has not stood still for two seconds; for twenty at most.
    @concurrent private func waitForCalm() async throws {
        for _ in 0..<10 {
            let watch = StallWatch()
            defer { watch.end() }
            try await Task.sleep(for: .seconds(2))
            if !watch.hasDisturbed { return }
        }
    }

    @concurrent private func attempt(
        _ function: @Sendable @concurrent () async throws -> Void
    ) async throws -> (AttemptCount.Outcome, String) {
        let (watch, pool) = (StallWatch(), PoolWatch())
        defer {
            watch.end()
            pool.end()
        }
        let first = Mutex<String?>(nil)
        try await withKnownIssue("an attempt that does not count yet", isIntermittent: true) {
            try await function()
        } matching: { issue in
            first.withLock { $0 = $0 ?? String(issue.description.prefix(Self.saidOfIssue)) }
            return true
        }
        guard let issue = first.withLock({ $0 }) else { return (.passed, "passed") }
        let said = issue.replacing("\n", with: " ")
        let circumstances = "\(watch.summary), \(pool.summary)"
        return watch.hasDisturbed || pool.hasDisturbed
            ? (.disturbed, "disturbed (\(circumstances)): \(said)")
            : (.failed, "failed on a calm machine (\(circumstances)): \(said)")
    }
}

extension Trait where Self == RepeatedWhenDisturbed {
    /// Tests are repeated when they fail: they depend on the machine's timing.
    package static var repeatedWhenDisturbed: Self { Self() }
}
