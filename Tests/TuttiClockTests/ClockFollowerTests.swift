import Testing
import TuttiClock
import TuttiCore

/// The largest |error| in microseconds over `seconds`, looked at every 50 ms; the simulation runs to their end.
private func worst(_ simulation: inout ExchangeSimulation, in seconds: ClosedRange<Double>) -> Double {
    var worst = 0.0
    var time = seconds.lowerBound
    while time <= seconds.upperBound {
        simulation.run(until: time * 1e9)
        worst = max(worst, abs(simulation.error(at: time * 1e9) ?? .infinity) / 1000)
        time += 0.05
    }
    return worst
}

struct ClockFollowerTests {
    @Test(arguments: [-200.0, -40, 0, 40, 200]) func wiredLinksAreGoodToMicroseconds(ppm: Double) throws {
        var simulation = ExchangeSimulation(.lan, ppm: ppm, seed: 11, seconds: 70)
        simulation.run(until: 1e9)
        #expect(try #require(simulation.firstEstimateAt) <= 120e6)
        #expect(worst(&simulation, in: 1...10) < 20)
        #expect(worst(&simulation, in: 10...60) < 3)
        let statistics = simulation.follower.statistics
        #expect(statistics.forwardStamps == .kernel && statistics.returnStamps == .kernel)
        #expect(abs((statistics.driftPpm ?? 0) + ppm) < 0.1)
        #expect(statistics.resets == 0)
    }

    @Test func wifiIsGoodToTensOfMicroseconds() {
        var errors: [Double] = []
        for seed in 0..<6 as Range<UInt64> {
            var simulation = ExchangeSimulation(.wifi, ppm: 35, seed: seed, seconds: 70)
            simulation.run(until: 30e9)
            errors.append(worst(&simulation, in: 30...60))
        }
        #expect(errors.allSatisfy { $0 < 60 })
    }

    @Test func badWifiStaysWithinABoundAndItsSigmaIsHonest() {
        var scores: [Double] = []
        for seed in 0..<8 as Range<UInt64> {
            var simulation = ExchangeSimulation(.badwifi, ppm: -30, seed: seed, seconds: 70)
            for second in stride(from: 5.0, through: 60, by: 5) {
                simulation.run(until: second * 1e9)
                guard let estimate = simulation.follower.estimate, let error = simulation.error(at: second * 1e9) else {
                    Issue.record("no estimate after \(second) s")
                    continue
                }
                #expect(abs(error) < 400_000)
                scores.append(
                    abs(error) / estimate.sigma(atHostNanoseconds: simulation.hostTime(second * 1e9).nanoseconds))
            }
        }
        #expect(percentile(scores, 0.68) < 1.6)
        #expect(percentile(scores, 0.5) > 0.1)
    }

    @Test func aRememberedDriftHelpsFromTheFirstSecond() {
        var simulation = ExchangeSimulation(.lan, ppm: 123, seed: 4, seconds: 20, remembered: (-123.05, 0.1))
        #expect(worst(&simulation, in: 0.5...10) < 3)
    }

    @Test(arguments: [40.0, -200]) func aWanderingOscillatorIsFollowed(ppm: Double) {
        var simulation = ExchangeSimulation(.lan, ppm: ppm, seed: 21, seconds: 1_600)
        var errors: [Double] = []
        for second in stride(from: 120.0, through: 1_500, by: 3.7) {
            simulation.run(until: second * 1e9)
            errors.append(abs(simulation.error(at: second * 1e9) ?? .infinity) / 1000)
        }
        #expect(percentile(errors, 0.99) < 4)
        #expect(simulation.follower.statistics.resets == 0)
    }

    @Test(arguments: [-50.0, -8, 30]) func anOscillatorThatChangesItsRateAtOnceIsFollowed(ppm: Double) throws {
        for seed in 0..<4 as Range<UInt64> {
            var simulation = ExchangeSimulation(.lan, ppm: 12, seed: seed, seconds: 200, turn: (120, ppm))
            var worst = (before: 0.0, between: 0.0, after: 0.0)
            for second in stride(from: 60.0, to: 190, by: 0.7) {
                simulation.run(until: second * 1e9)
                let error = abs(try #require(simulation.error(at: second * 1e9))) / 1000
                if second < 120 { worst.before = max(worst.before, error) }
                if second >= 120, second < 140 { worst.between = max(worst.between, error) }
                if second >= 140 { worst.after = max(worst.after, error) }
            }
            #expect(worst.before < 4)
            #expect(worst.between < 170)
            #expect(worst.after < 6)
        }
    }

    @Test(arguments: [-50.0, 30]) func behindWifiItIsFollowedWithinAMinute(ppm: Double) throws {
        for seed in 0..<4 as Range<UInt64> {
            var simulation = ExchangeSimulation(.wifi, ppm: 12, seed: seed, seconds: 280, turn: (120, ppm))
            var worst = 0.0
            for second in stride(from: 160.0, to: 270, by: 1.3) {
                simulation.run(until: second * 1e9)
                worst = max(worst, abs(try #require(simulation.error(at: second * 1e9))) / 1000)
            }
            #expect(worst < 120)
        }
    }

    @Test func asymmetryCostsHalfOfItselfAndNoMore() throws {
        var simulation = ExchangeSimulation(.asymmetric, ppm: 10, seed: 2, seconds: 40)
        simulation.run(until: 30e9)
        let error = try #require(simulation.error(at: 30e9)) / 1000
        #expect(abs(error + 900) < 5)
    }

    @Test func holdoverCarriesTheClockAndSaysHowWell() throws {
        var simulation = ExchangeSimulation(.lan, ppm: -60, seed: 5, seconds: 140)
        simulation.run(until: 60e9)
        simulation.isLeaderPresent = false
        let before = try #require(simulation.follower.statistics.sigmaUs)
        simulation.run(until: 120e9)
        let error = abs(try #require(simulation.error(at: 120e9))) / 1000
        #expect(error < 15)
        #expect(try #require(simulation.follower.statistics.sigmaUs) > before)
        simulation.isLeaderPresent = true
        #expect(worst(&simulation, in: 122...125) < 5)
        #expect(simulation.follower.statistics.resets == 0)
    }

    @Test(arguments: [300_000 as Int64, -40_000_000, 3_000_000_000]) func aSteppedLeaderIsFollowed(step: Int64) {
        var simulation = ExchangeSimulation(.lan, ppm: 20, seed: 6, seconds: 60)
        simulation.run(until: 30e9)
        simulation.leaderStep = step
        simulation.run(until: 40e9)
        #expect(worst(&simulation, in: 40...45) < 10)
        #expect(simulation.follower.statistics.resets >= 1)
    }

    @Test func withoutKernelStampsItStillWorks() throws {
        var simulation = ExchangeSimulation(.lan, ppm: 20, seed: 9, seconds: 40)
        simulation.hasKernelStamps = false
        simulation.run(until: 0.5e9)
        #expect(try #require(simulation.firstEstimateAt) <= 120e6)
        #expect(worst(&simulation, in: 20...30) < 40)
        #expect(simulation.follower.statistics.returnStamps == .user)
    }

    @Test func oneEarlyStampDoesNotHoldTheEnvelopeDown() {
        var simulation = ExchangeSimulation(.lan, ppm: 20, seed: 15, seconds: 60)
        simulation.run(until: 30e9)
        simulation.stampError = 60_000
        simulation.run(until: 30.4e9)
        simulation.stampError = 0
        #expect(worst(&simulation, in: 30.4...45) < 3)
    }

    @Test func aFasterPathIsTakenUp() {
        var simulation = ExchangeSimulation(.asymmetric, ppm: 20, seed: 16, seconds: 60)
        simulation.run(until: 20e9)
        simulation.link.profile = .lan
        simulation.run(until: 30e9)
        #expect(worst(&simulation, in: 30...40) < 10)
    }

    @Test func aSilentLeaderIsAskedOnceASecond() {
        var simulation = ExchangeSimulation(.lan, ppm: 5, seed: 12, seconds: 140)
        simulation.isLeaderPresent = false
        simulation.run(until: 60e9)
        let before = simulation.follower.statistics.requests
        simulation.run(until: 70e9)
        #expect((9...11).contains(simulation.follower.statistics.requests - before))
        #expect(simulation.follower.estimate == nil)
        simulation.isLeaderPresent = true
        simulation.run(until: 80e9)
        #expect(simulation.follower.estimate != nil)
    }

    /// A link that is full holds every answer up, and its other end is there all the same.
    @Test func lateAnswersShowThatTheLeaderIsThere() {
        let full = NetworkProfile(name: "full", base: (2e6, 700e6), jitter: 15_000)
        var simulation = ExchangeSimulation(full, ppm: 20, seed: 1, seconds: 10)
        simulation.run(until: 5e9)
        #expect(simulation.follower.timeWithoutAnswer(now: simulation.hostTime(5e9)) < 300_000_000)
        simulation.isLeaderPresent = false
        simulation.run(until: 8e9)
        #expect(simulation.follower.timeWithoutAnswer(now: simulation.hostTime(8e9)) > 1_500_000_000)
    }

    /// Two that were started together do not go on asking at the same instants.
    @Test func asksWithoutABeat() {
        var followers = [1, 2].map {
            ClockFollower(timescale: TimescaleID(rawValue: 1), seed: $0, now: HostTime(nanoseconds: 0))
        }
        var asked: [[Int64]] = [[], []]
        for index in followers.indices {
            for _ in 0..<60 {
                let now = followers[index].deadline
                asked[index].append(now.nanoseconds)
                #expect(followers[index].poll(now: now) != nil)
            }
        }
        let steps = asked.map { zip($0, $0.dropFirst()).map { $1 - $0 } }
        for each in steps {
            #expect(each.allSatisfy { (4_000_000...6_000_000).contains($0) })
            #expect(Set(each.map { $0 / 200_000 }).count >= 8)
            #expect((4_750_000...5_250_000).contains(each.reduce(0, +) / Int64(each.count)))
        }
        #expect(steps[0] != steps[1])
    }

    @Test func pollsOftenFirstThenAsNeeded() {
        var simulation = ExchangeSimulation(.lan, ppm: 5, seed: 10, seconds: 140)
        simulation.run(until: 0.315e9)
        #expect((60...68).contains(simulation.follower.statistics.requests))
        simulation.run(until: 3e9)
        #expect((223...236).contains(simulation.follower.statistics.requests))
        simulation.run(until: 120e9)
        let before = simulation.follower.statistics.requests
        simulation.run(until: 130e9)
        #expect((39...81).contains(simulation.follower.statistics.requests - before))
        var wireless = ExchangeSimulation(.badwifi, ppm: 5, seed: 10, seconds: 60)
        wireless.run(until: 40e9)
        let there = wireless.follower.statistics.requests
        wireless.run(until: 50e9)
        #expect((100...201).contains(wireless.follower.statistics.requests - there))
    }
}
