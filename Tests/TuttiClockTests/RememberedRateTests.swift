import Testing
import TuttiClock
import TuttiCore

/// A rate that is known from before, and is another one by now, or still the same.
struct RememberedRateTests {
    /// Wi-Fi that scatters as the laboratory's does, and a third of it.
    private static let calm = NetworkProfile(
        name: "calm", base: (900_000, 900_000), jitter: 300_000, stalls: 8e6...40e6, loss: 0.001)

    /// What is asked of followers behind a link: µs that they may be off from 0.3 s on, and from 10 s on.
    struct Demand: Sendable, CustomTestStringConvertible {
        var profile: NetworkProfile
        var (always, settled): (Double, Double)

        var testDescription: String { profile.name }
    }

    static let demands = [
        Demand(profile: .lan, always: 12, settled: 4), Demand(profile: calm, always: 90, settled: 25),
        Demand(profile: .wifi, always: 160, settled: 75),
    ]

    /// Looks at the error from 0.3 s after `start` on for half a minute.
    private func follow(
        _ simulation: inout ExchangeSimulation, from start: Double = 0, demand: Demand, _ cause: String
    ) throws {
        var worst = (always: 0.0, settled: 0.0)
        for second in stride(from: 0.3, to: 30, by: 0.15) {
            let time = (start + second) * 1e9
            simulation.run(until: time)
            let error = abs(try #require(simulation.error(at: time))) / 1_000
            let estimate = try #require(simulation.follower.estimate)
            let sigma = estimate.sigma(atHostNanoseconds: simulation.hostTime(time).nanoseconds) / 1_000
            worst.always = max(worst.always, error)
            guard second >= 10 else { continue }
            worst.settled = max(worst.settled, error)
            #expect(error < 6 * sigma + 50, "\(cause), \(second) s")
        }
        #expect(worst.always < demand.always, "\(cause)")
        #expect(worst.settled < demand.settled, "\(cause)")
    }

    @Test(arguments: demands, [5.0, -20, 50, -100])
    func aRateThatIsAnotherOneByNowIsFoundOut(demand: Demand, wrong: Double) throws {
        for seed in 0..<8 as Range<UInt64> {
            var simulation = ExchangeSimulation(
                demand.profile, ppm: 35, seed: seed, seconds: 40, remembered: (wrong - 35, 0.5))
            try follow(&simulation, demand: demand, "seed \(seed)")
        }
    }

    /// A line that another leader led, whose clock, or this one, has jumped to another rate since.
    @Test(arguments: demands, [-20.0, 60])
    func soIsThatOfALineThatIsKnown(demand: Demand, wrong: Double) throws {
        for seed in 0..<8 as Range<UInt64> {
            var simulation = ExchangeSimulation(demand.profile, ppm: 12, seed: seed, seconds: 50, turn: (4, wrong))
            simulation.continueLine(after: 5e9, offsetSigma: 8_000, driftSigma: 1e-7)
            // It begins with what the clock has lost in the second since.
            var demand = demand
            demand.always += 1.2 * abs(wrong)
            try follow(&simulation, from: 5, demand: demand, "seed \(seed)")
        }
    }

    /// What is right about a memory is not lost to doubts about it: within a second it is worth more than half of the
    /// error.
    @Test(arguments: [(NetworkProfile.lan, 1.7, 2.0), (calm, 11, 5), (.wifi, 35, 15)])
    func aRateThatIsStillRightHelps(profile: NetworkProfile, soon: Double, later: Double) throws {
        var errors: (soon: [Double], later: [Double]) = ([], [])
        for seed in 0..<32 as Range<UInt64> {
            var simulation = ExchangeSimulation(
                profile, ppm: 35, seed: seed, seconds: 40, remembered: (seed % 2 == 0 ? -34.6 : -35.4, 0.5))
            for second in stride(from: 0.3, to: 10, by: 0.1) {
                simulation.run(until: second * 1e9)
                let error = abs(try #require(simulation.error(at: second * 1e9))) / 1_000
                if second < 1 { errors.soon.append(error) } else { errors.later.append(error) }
            }
        }
        #expect(percentile(errors.soon, 0.99) < soon)
        #expect(percentile(errors.later, 0.99) < later)
    }

    /// The host's oscillator is what cards are compared with, so a jump of it is one of every card's rate.
    @Test(arguments: [(1.0, CardKind.hda), (48, .usb), (44.1, .usb)], [20.0, -40, 100])
    func aCardsRateThatIsAnotherOneByNowIsFoundOut(card: (step: Double, kind: CardKind), wrong: Double) {
        for seed in 0..<6 as Range<UInt64> {
            var card = VirtualCard(
                step: card.step, ppm: 30, seed: seed, seconds: 32, kind: card.kind, wander: 1e-4,
                remembered: (30 + wrong, 1))
            card.reading = .rendering
            let all = card.run(until: 30e9)
            let limit = card.step == 1 ? 75.0 : 110
            #expect(all.filter { $0.seconds > 0.2 }.map { abs($0.error) }.max() ?? .infinity < limit)
            #expect(percentile(all.filter { $0.seconds > 15 }.map { abs($0.error) }, 0.99) < (card.step == 1 ? 3 : 25))
            #expect(abs((card.model.estimate?.ppm ?? 0) - 30) < 1)
        }
    }
}
