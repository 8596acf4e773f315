import Testing
import TuttiClock
import TuttiCore

/// A timescale that goes on when its leader changes or comes back.
struct ContinuingTests {
    private let timescale = ExchangeSimulation.timescale

    private func line(drift: Double = -37e-6, sigma: Double = 8_000) -> ClockEstimate {
        ClockEstimate(
            timescale: timescale, referenceHost: HostTime(nanoseconds: 5_000_000_000), offset: 123_456_789_012,
            offsetFraction: 0.25, drift: drift, offsetSigma: sigma, driftSigma: 1e-7)
    }

    @Test func aMemberThatTakesOverGoesOnAlongItsLine() throws {
        let line = line()
        var responder = TimingResponder(line: line)
        #expect(responder.timescale == timescale)
        for second in [0, 5, 3_600] as [Int64] {
            let time = HostTime(nanoseconds: second * 1_000_000_000)
            #expect(responder.groupTime(at: time) == line.groupTime(at: time))
            let estimate = responder.estimate(now: time)
            #expect(estimate.offsetSigma == 0)
            #expect(estimate.driftSigma == 0)
            let later = time.advanced(byNanoseconds: 60_000_000_000)
            #expect(estimate.groupTime(at: later) == line.groupTime(at: later))
        }
        let request = TimingMessage(requestOn: timescale, clientID: 1, sequence: 1, t1: 0).encode()
        let arrival = HostTime(nanoseconds: 3_600_000_000_000)
        let answer = responder.received(
            request, from: 1, at: arrival, now: arrival.advanced(byNanoseconds: 500_000_000))
        let reply = try TimingMessage(parsing: try #require(answer).bytes)
        #expect(reply.t2 == line.groupTime(at: arrival).nanoseconds)
        // The leader's host counts half a second, the group 18.5 µs less.
        #expect(abs(Int64(reply.hold) - (500_000_000 - 18_500)) <= 1)
    }

    @Test func aKnownLineIsTheEstimateAtOnceWithItsGrownUncertainty() throws {
        let line = line()
        let now = HostTime(nanoseconds: 65_000_000_000)
        let follower = ClockFollower(timescale: timescale, seed: 1, now: now, continuing: line)
        let estimate = try #require(follower.estimate)
        #expect(abs(estimate.groupTime(at: now).nanoseconds - line.groupTime(at: now).nanoseconds) <= 1)
        let sigma = estimate.sigma(atHostNanoseconds: now.nanoseconds)
        // 8 µs, 60 s of 0.1 ppm, and some wander.
        #expect((10_000...11_000).contains(sigma))
        #expect(abs(estimate.drift + 37e-6) < 1e-12)
    }

    @Test func aLineOfAnotherTimescaleOrWithoutSenseIsLeftOut() {
        let now = HostTime(nanoseconds: 65_000_000_000)
        let other = ClockFollower(timescale: TimescaleID(rawValue: 3), seed: 1, now: now, continuing: line())
        #expect(other.estimate == nil)
        for bad in [line(drift: .nan), line(drift: 1), line(sigma: .infinity), line(sigma: .nan)] {
            #expect(ClockFollower(timescale: timescale, seed: 1, now: now, continuing: bad).estimate == nil)
        }
    }

    @Test(arguments: [50_000 as Int64, 400_000, -3_000_000, 900_000_000]) func aWrongLineIsPutAside(error: Int64) throws
    {
        var simulation = ExchangeSimulation(.lan, ppm: 50, seed: 3, seconds: 80)
        simulation.continueLine(after: 5e9, offsetSigma: 1_000, driftSigma: 1e-7, offsetError: error)
        #expect(abs(try #require(simulation.error(at: 5e9))) > 40_000)
        simulation.run(until: 7e9)
        for second in stride(from: 7.0, to: 15, by: 0.5) {
            simulation.run(until: second * 1e9)
            #expect(abs(try #require(simulation.error(at: second * 1e9))) < 4_000)
        }
    }

    @Test func silenceAndUnansweredRequestsTellThatALeaderIsGone() {
        var simulation = ExchangeSimulation(.lan, ppm: 5, seed: 12, seconds: 60)
        simulation.run(until: 10e9)
        #expect(simulation.follower.unanswered <= 1)
        #expect(simulation.follower.timeWithoutAnswer(now: simulation.hostTime(10e9)) < 1_000_000)
        simulation.isLeaderPresent = false
        simulation.run(until: 13e9)
        #expect((30...45).contains(simulation.follower.unanswered))
        let silence = simulation.follower.timeWithoutAnswer(now: simulation.hostTime(13e9))
        #expect((2_800_000_000...3_000_000_000).contains(silence))
        simulation.isLeaderPresent = true
        simulation.run(until: 15e9)
        #expect(simulation.follower.unanswered <= 1)
        #expect(simulation.follower.timeWithoutAnswer(now: simulation.hostTime(15e9)) < 1_000_000)
    }
}
