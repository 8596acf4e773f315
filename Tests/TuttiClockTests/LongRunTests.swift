import Testing
import TuttiClock
import TuttiCore

/// Hours of virtual time with what happens to real hosts in them.
struct LongRunTests {
    /// The largest |error| in microseconds, looked at every `step` seconds.
    private func worst(
        _ simulation: inout ExchangeSimulation, in seconds: ClosedRange<Double>, step: Double = 1.7
    ) -> Double {
        var worst = 0.0
        for time in stride(from: seconds.lowerBound, through: seconds.upperBound, by: step) {
            simulation.run(until: time * 1e9)
            worst = max(worst, abs(simulation.error(at: time * 1e9) ?? .infinity) / 1000)
        }
        return worst
    }

    @Test func fourHoursOfALanWithAllThatHappens() throws {
        var simulation = ExchangeSimulation(.lan, ppm: 35, seed: 71, seconds: 14_500)
        let hour = 3_600.0
        #expect(worst(&simulation, in: 60...hour) < 4)
        // The leader is silent for a minute.
        simulation.isLeaderPresent = false
        #expect(worst(&simulation, in: hour...(hour + 60)) < 20)
        simulation.isLeaderPresent = true
        #expect(worst(&simulation, in: (hour + 63)...(1.5 * hour)) < 5)
        #expect(simulation.follower.statistics.resets == 0)
        // This host sleeps: its clock stands still for seven minutes.
        simulation.hostStep = -420_000_000_000
        simulation.run(until: (1.5 * hour + 424) * 1e9)
        #expect(worst(&simulation, in: (1.5 * hour + 424)...(2 * hour)) < 5)
        #expect(simulation.follower.statistics.resets == 1)
        // The leader steps by 30 ms, then by an hour.
        for (index, step) in [30_000_000, 3_600_000_000_000].enumerated() as EnumeratedSequence<[Int64]> {
            simulation.leaderStep += step
            let from = (2 + 0.25 * Double(index)) * hour
            simulation.run(until: (from + 4) * 1e9)
            #expect(worst(&simulation, in: (from + 4)...(from + 0.2 * hour)) < 5)
        }
        #expect(simulation.follower.statistics.resets == 3)
        // The path becomes longer by 0.3 ms, then Wi-Fi, then what it was.
        simulation.link.profile.base = (380_000, 380_000)
        #expect(worst(&simulation, in: (2.5 * hour)...(3 * hour)) < 5)
        simulation.link.profile = .wifi
        #expect(worst(&simulation, in: (3 * hour)...(3.5 * hour)) < 40)
        simulation.link.profile = .lan
        #expect(worst(&simulation, in: (3.5 * hour)...(3.5 * hour + 10)) < 40)
        #expect(worst(&simulation, in: (3.5 * hour + 10)...(4 * hour)) < 5)
        #expect(simulation.follower.statistics.resets == 3)
    }

    @Test func holdoverOnWifiAddsLittle() throws {
        var added: [Double] = []
        for seed in 0..<12 as Range<UInt64> {
            var simulation = ExchangeSimulation(.wifi, ppm: -45, seed: seed + 50, seconds: 200)
            simulation.run(until: 120e9)
            let before = try #require(simulation.error(at: 120e9))
            simulation.isLeaderPresent = false
            simulation.run(until: 180e9)
            let after = try #require(simulation.error(at: 180e9))
            added.append(abs(after - before) / 1000)
            let statistics = simulation.follower.statistics
            #expect(abs(after) / 1000 < 4 * (statistics.sigmaUs ?? 0) + 1)
        }
        #expect(percentile(added, 0.5) < 12)
        #expect(percentile(added, 1) < 40)
    }
}
