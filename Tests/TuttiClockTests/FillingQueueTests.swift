import Testing
import TuttiClock
import TuttiCore

/// Queues that fill and drain while a follower begins: exchanges say little then, and it must not take that for much.
struct FillingQueueTests {
    private static let second = 1e9

    /// Looks at the error from `start` on, for `seconds`.
    ///
    /// - Returns: the largest, and by how much it was beyond six deviations, µs.
    private func follow(
        _ simulation: inout ExchangeSimulation, from start: Double, for seconds: Double
    ) -> (error: Double, excess: Double) {
        var worst = (error: 0.0, excess: -Double.infinity)
        for time in stride(from: start, to: start + seconds * Self.second, by: 0.01 * Self.second) {
            simulation.run(until: time)
            guard let estimate = simulation.follower.estimate, let error = simulation.error(at: time) else { continue }
            let sigma = estimate.sigma(atHostNanoseconds: simulation.hostTime(time).nanoseconds)
            worst.error = max(worst.error, abs(error) / 1_000)
            worst.excess = max(worst.excess, (abs(error) - 6 * sigma) / 1_000)
        }
        return worst
    }

    /// What stood in it comes all at once, so many exchanges say the same.
    @Test(arguments: [30.0, 88, 250]) func aQueueThatDrainsIsWaitedOut(milliseconds: Double) {
        for seed in 0..<8 as Range<UInt64> {
            var simulation = ExchangeSimulation(.wifi, ppm: 20, seed: seed, seconds: 5)
            simulation.queue = { max(milliseconds * 1e6 - $0, 0) }
            #expect(follow(&simulation, from: 0, for: 3).excess < 50, "seed \(seed)")
            #expect(simulation.follower.estimate != nil)
        }
    }

    /// A line that is known is held while the queue of a slow link fills up.
    @Test(arguments: [0.01, 0.1, 1, 10]) func aQueueThatFillsIsNoOtherRate(speed: Double) {
        for seed in 0..<8 as Range<UInt64> {
            var simulation = ExchangeSimulation(.lan, ppm: 20, seed: seed, seconds: 10)
            let start = 5 * Self.second
            simulation.continueLine(after: start, offsetSigma: 8_000, driftSigma: 1e-7)
            simulation.queue = { min(30e6 + max($0 - start, 0) * speed, 300e6) }
            let worst = follow(&simulation, from: start, for: 10)
            // Six deviations, and what rates of three times 60 ppm come to in the 5 s since it was known and the 10 s
            // until now.
            #expect(worst.error < 50 + 180 * 15, "seed \(seed)")
        }
    }

    /// A line that was learnt over an empty link is held for as long as a queue stands in front of it, however long: it
    /// makes round trips longer by all that it seems to move the clock, twice.
    @Test(arguments: [0.5, 5, 60]) func aQueueThatStandsIsNoOtherClock(milliseconds: Double) {
        for seed in 0..<6 as Range<UInt64> {
            var simulation = ExchangeSimulation(.lan, ppm: 20, seed: seed, seconds: 60)
            let start = 5 * Self.second
            // What is sent in bursts makes it breathe.
            simulation.queue = { time in
                guard time > start else { return 0 }
                let breath = (time / (0.3 * Self.second)).truncatingRemainder(dividingBy: 1)
                return milliseconds * 1e6 * min(1, (time - start) / (0.5 * Self.second)) * (0.7 + 0.3 * breath)
            }
            let worst = follow(&simulation, from: start, for: 40)
            #expect(worst.error < 100, "seed \(seed)")
        }
    }
}
