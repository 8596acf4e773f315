import Testing
import TuttiClock

/// How often the clock is asked at a first meeting.
@Suite struct PollScheduleTests {
    /// Requests in the first 320 ms, over a link that takes so long one way, in nanoseconds.
    private func requests(base: Double) -> Int {
        let link = NetworkProfile(name: "even", base: (base, base), jitter: 15_000)
        var simulation = ExchangeSimulation(link, ppm: 10, seed: 3, seconds: 2)
        simulation.run(until: 0.32e9)
        return simulation.follower.statistics.requests
    }

    @Test("on a link that needs milliseconds for a datagram, the first questions leave room for one another")
    func narrowLinks() {
        #expect((60...68).contains(requests(base: 80_000)))
        // Wi-Fi in a good moment.
        #expect((60...68).contains(requests(base: 900_000)))
        // 350 kbit/s: 25 ms from one to the next, once the first answers have shown it.
        #expect((10...25).contains(requests(base: 3.5e6)))
        // However long: never so seldom that a first meeting takes for ever.
        #expect((12...30).contains(requests(base: 30e6)))
    }
}
