import Testing
import TuttiRendering

/// How much silence a run begins with after an xrun.
@Suite struct RecoverySilenceTests {
    private static let second: Int64 = 1_000_000_000

    @Test func itIsTenMillisecondsInWholePeriodsOrTwoSteps() {
        var silence = RecoverySilence()
        #expect(silence.next(rate: 48_000, buffer: 1_920, period: 480, step: 1, after: 9 * Self.second) == 480)
        #expect(silence.next(rate: 48_000, buffer: 2_048, period: 512, step: 256, after: 9 * Self.second) == 512)
        #expect(silence.next(rate: 48_000, buffer: 4_096, period: 1_024, step: 1_024, after: 9 * Self.second) == 2_048)
        #expect(silence.next(rate: 8_000, buffer: 100, period: 50, step: .max, after: 9 * Self.second) == 100)
    }

    /// A card that counts 1 000 frames as soon as it is handed them has no use for 480.
    @Test func itGrowsWhileRunsEndAtOnce() {
        var silence = RecoverySilence()
        func next(_ ran: Int64) -> Int { silence.next(rate: 48_000, buffer: 1_920, period: 480, step: 1, after: ran) }
        #expect([next(Self.second), next(1_000_000), next(1_000_000), next(1_000_000)] == [480, 960, 1_920, 1_920])
        #expect(next(5 * Self.second) == 480)
    }
}
