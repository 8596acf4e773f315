import Testing
import TuttiClock

/// When a line is fitted anew, and which tracker counts.
@Suite struct FitScheduleTests {
    /// Exchanges one after the other, a tenth of a second apart, until `seconds`.
    private func steps(
        _ schedule: inout FitSchedule, from start: Double, to end: Double, needed: Int = 0
    ) -> [FitSchedule.Step] {
        stride(from: start, to: end, by: 1e8).map { time in
            schedule.take(sentAt: time, receivedAt: time + 1e6, middle: time + 5e5, needed: needed)
        }
    }

    @Test func aLineTakesSoManyExchangesAndThreeTurns() {
        var schedule = FitSchedule(pollDivisor: 1)
        let steps = steps(&schedule, from: 0, to: 9e8, needed: 8)
        #expect(steps.prefix(7).allSatisfy { $0 == .collect } && steps.suffix(2) == [.fit, .fit])
        schedule.restart()
        // All under way together: one turn.
        for _ in 0..<20 {
            let step = schedule.take(sentAt: 0, receivedAt: 1e9, middle: 5e8, needed: 8)
            #expect(step == .collect)
        }
    }

    @Test func anEstablishedLineIsFittedEveryTwoSecondsAndMoreOftenWhereTheRateMayHaveJumped() {
        var schedule = FitSchedule(pollDivisor: 1)
        _ = steps(&schedule, from: 0, to: 200e9)
        let calm = steps(&schedule, from: 200e9, to: 220e9).count { $0 == .fit }
        #expect((9...10).contains(calm), "\(calm)")
        schedule.unsettle(at: 220e9)
        let unsettled = steps(&schedule, from: 220e9, to: 230e9)
        #expect(unsettled.first == .fit)
        #expect((30...35).contains(unsettled.count { $0 == .fit }))
        var cheap = FitSchedule(pollDivisor: 4)
        _ = steps(&cheap, from: 0, to: 900e9)
        let seldom = steps(&cheap, from: 900e9, to: 980e9).count { $0 == .fit }
        #expect((4...6).contains(seldom), "\(seldom)")
    }

    @Test func theBestTrackerLeadsAndOneThatWasWrongForLongCountsAnew() {
        var scores = TrackerScores(odds: [0, -2])
        func predict(_ first: Double?, _ second: Double?) -> Int? {
            scores.add(first, of: 0, elapsed: 0)
            scores.add(second, of: 1, elapsed: 0)
            return scores.settle()
        }
        #expect(predict(0, 0) == nil && scores[0] == 0 && scores[1] == -2)
        #expect(predict(0, 3) == 1 && scores[0] == -1 && scores[1] == 0)
        #expect(predict(nil, 0) == nil && scores.best == 1)
        #expect(scores[0] == TrackerScores.least)
        var hopeless = scores.takeHopeless(at: 0)
        #expect(hopeless.isEmpty)
        hopeless = scores.takeHopeless(at: TrackerScores.despair + 1)
        #expect(hopeless == [0] && scores[0] == 0)
        scores.forget()
        #expect(scores[0] == 0 && scores[1] == -2)
    }
}
