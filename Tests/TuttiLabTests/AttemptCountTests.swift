import TestSupport
import Testing

@Suite("Attempts of a test that depends on timing")
struct AttemptCountTests {
    @Test(
        "more must pass than fail; disturbed ones count neither way",
        arguments: [
            ([.passed], .passed),
            ([.failed], .undecided),
            ([.disturbed], .undecided),
            ([.disturbed, .passed], .passed),
            ([.disturbed, .disturbed, .passed], .passed),
            ([.disturbed, .disturbed, .disturbed, .passed], .passed),
            (Array(repeating: .disturbed, count: 6), .failed),
            ([.failed, .passed], .undecided),
            ([.failed, .passed, .passed], .passed),
            ([.failed, .passed, .failed], .failed),
            ([.failed, .failed], .failed),
            ([.failed, .disturbed, .passed, .passed], .passed),
            ([.disturbed, .failed, .failed], .failed),
            ([.disturbed, .disturbed, .disturbed, .disturbed, .failed], .failed),
        ] as [([AttemptCount.Outcome], AttemptCount.Verdict)])
    func verdicts(outcomes: [AttemptCount.Outcome], expected: AttemptCount.Verdict) {
        var count = AttemptCount()
        let verdicts = outcomes.map { count.note($0) }
        #expect(verdicts.last == expected)
        #expect(verdicts.dropLast().allSatisfy { $0 == .undecided })
    }

    @Test(
        "without time for a repetition the first attempt decides",
        arguments: [(.passed, .passed), (.failed, .failed), (.disturbed, .failed)]
            as [(AttemptCount.Outcome, AttemptCount.Verdict)])
    func hurried(outcome: AttemptCount.Outcome, expected: AttemptCount.Verdict) {
        var count = AttemptCount()
        #expect(count.note(outcome, mayRepeat: false) == expected)
    }
}
