import Testing

@testable import TuttiClock

/// How often the clock is asked.
@Suite struct PollScheduleTests {
    @Test("on a link that needs milliseconds for a datagram, the first questions leave room for one another")
    func narrowLinks() {
        let schedule = PollSchedule()
        func interval(shortestTrip: Double?) -> Int64 {
            schedule.interval(offsetSigma: 100_000, unanswered: 0, shortestTrip: shortestTrip)
        }
        #expect(interval(shortestTrip: nil) == 5_000_000)
        // Cables, and Wi-Fi in a good moment.
        for trip in [200_000, 2_900_000.0] { #expect(interval(shortestTrip: trip) == 5_000_000) }
        // 350 kbit/s, both ways.
        #expect((20_000_000...30_000_000).contains(interval(shortestTrip: 7e6)))
        // However long: never so seldom that a first meeting takes for ever.
        #expect(interval(shortestTrip: 1e9) == 40_000_000)
    }

    @Test("once the opening is over, it is the estimate that says how often")
    func calm() {
        var schedule = PollSchedule()
        for _ in 0..<1000 { schedule.noteSent() }
        #expect(schedule.interval(offsetSigma: 200, unanswered: 0, shortestTrip: 7e6) == 250_000_000)
        #expect(schedule.interval(offsetSigma: 200, unanswered: PollSchedule.mostUnanswered) == 1_000_000_000)
    }
}
