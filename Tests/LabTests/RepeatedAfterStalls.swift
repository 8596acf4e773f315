import Testing
import TuttiLab

/// Runs a test again, up to four times, when it failed while the machine stood still. A failure without a stall counts at
/// once, and so does the fourth one with.
struct RepeatedAfterStalls: TestTrait, SuiteTrait, TestScoping {
    private static let attempts = 4

    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for _ in 1..<Self.attempts {
            let watch = StallWatch()
            defer { watch.end() }
            let excuses = Excuses()
            try await withKnownIssue("the machine stood still", isIntermittent: true) {
                try await function()
            } matching: { _ in
                watch.hasStalled && excuses.note()
            }
            guard excuses.isAny else { return }
            print("\(test.name): the machine stood still for \(watch.milliseconds.text(0)) ms; once more")
        }
        try await function()
    }
}

extension Trait where Self == RepeatedAfterStalls {
    /// Tests are run again when they failed while the machine stood still.
    static var repeatedAfterStalls: Self { Self() }
}
