import Testing
import TuttiCore
import TuttiSpeaker

/// When a reference room reports its card.
@Suite struct CardReportsTests {
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    private func fit(_ slope: Double) -> ReferenceFit {
        ReferenceFit(
            group: GroupTime(nanoseconds: 0, timescale: TimescaleID(rawValue: 1)), offset: 0, slope: slope)
    }

    @Test func aRateThatIsNewsIsReportedMoreOftenBeforeAnythingPlays() {
        var reports = CardReports()
        var due: [Bool] = []
        for (slope, isSounding, time) in [
            (0, false, 0), (1e-6, false, 49), (1e-6, false, 50), (1e-6, false, 100), (2e-6, true, 289),
            (2e-6, true, 290),
        ] as [(Double, Bool, Int64)] {
            due.append(reports.isDue(fit(slope), isSounding: isSounding, now: at(time)))
        }
        #expect(due == [true, false, true, false, false, true])
        reports.restart()
        let again = reports.isDue(fit(2e-6), isSounding: true, now: at(291))
        #expect(again)
    }

    @Test func nobodyCaresForTheCardOfASenderThatIsSilent() {
        var reports = CardReports()
        #expect(!reports.isSenderSilent(now: at(10_000)))
        reports.heardSender(now: at(10_000))
        #expect(!reports.isSenderSilent(now: at(13_000)))
        #expect(reports.isSenderSilent(now: at(13_001)))
    }
}
