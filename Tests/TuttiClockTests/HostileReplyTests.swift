import Testing
import TuttiClock
import TuttiCore

/// A follower with an open request and hand-made replies.
struct HostileReplyTests {
    private let start: Int64 = 1_000_000_000_000
    private let offset: Int64 = 500_000_000

    private func follower() -> ClockFollower {
        ClockFollower(timescale: ExchangeSimulation.timescale, seed: 77, now: HostTime(nanoseconds: start))
    }

    private func time(_ nanoseconds: Int64) -> HostTime { HostTime(nanoseconds: start + nanoseconds) }

    private func reply(to request: [UInt8], arrived: Int64, hold: UInt32 = 10_000) throws -> TimingMessage {
        TimingMessage(replyTo: try TimingMessage(parsing: request), t2: start + offset + arrived, hold: hold)
    }

    @Test func eachLieIsIgnoredForItsReason() throws {
        var follower = follower()
        let polled = follower.poll(now: time(0))
        let request = try #require(polled)
        let honest = try reply(to: request, arrived: 100_000)
        func outcome(of message: TimingMessage, arrivingAt arrival: Int64 = 300_000) -> ClockFollower.Outcome {
            follower.received(message.encode(), at: time(arrival), now: time(400_000))
        }
        var lie = honest
        lie.timescale = TimescaleID(rawValue: 1)
        #expect(outcome(of: lie) == .ignored(.wrongTimescale))
        lie = honest
        lie.clientID &+= 1
        #expect(outcome(of: lie) == .ignored(.wrongClient))
        lie = honest
        lie.t1 += 1
        #expect(outcome(of: lie) == .ignored(.wrongClient))
        lie = honest
        lie.sequence &+= 1
        #expect(outcome(of: lie) == .ignored(.unknownSequence))
        lie = honest
        lie.hold = 300_001
        #expect(outcome(of: lie) == .ignored(.impossibleTimes))
        #expect(outcome(of: honest, arrivingAt: -1) == .ignored(.impossibleTimes))
        #expect(outcome(of: honest, arrivingAt: 400_001) == .ignored(.impossibleTimes))
        #expect(follower.received(request, at: time(300_000), now: time(400_000)) == .ignored(.notReply))
        let late = follower.received(honest.encode(), at: time(2_000_000_001), now: time(2_000_000_002))
        #expect(late == .ignored(.impossibleTimes))
        #expect(outcome(of: honest) == .held)
        #expect(outcome(of: honest) == .ignored(.unknownSequence))
        #expect(follower.statistics.ignored == 10)
    }

    @Test func liesDoNotMoveTheEstimate() throws {
        var simulation = ExchangeSimulation(.lan, ppm: 20, seed: 13, seconds: 60)
        simulation.run(until: 20e9)
        let before = try #require(simulation.follower.estimate)
        let ignored = simulation.follower.statistics.ignored
        for distance in 0..<100 as Range<UInt32> {
            var forged = try TimingMessage(parsing: simulation.lastReply)
            forged.sequence &+= distance
            forged.t2 += 1_000_000_000
            simulation.deliver(forged.encode(), at: 20e9 + Double(distance) * 1e5)
        }
        #expect(simulation.follower.estimate == before)
        #expect(simulation.follower.statistics.ignored == ignored + 100)
    }

    /// Whoever can read requests can answer them first; a few such answers, far off, still move nothing.
    @Test func aFewForgedAnswersToRealRequestsAreFarOff() throws {
        var simulation = ExchangeSimulation(.lan, ppm: 20, seed: 14, seconds: 60)
        simulation.run(until: 20e9)
        let steps: [Int64] = [5_000_000, -700_000_000, 90_000_000, 1_000_000_000_000_000]
        for (index, step) in steps.enumerated() {
            simulation.leaderStep = step
            simulation.run(until: 20e9 + Double(index + 1) * 0.25e9)
        }
        simulation.leaderStep = 0
        #expect(abs(try #require(simulation.error(at: 21e9))) < 10_000)
        simulation.run(until: 30e9)
        #expect(abs(try #require(simulation.error(at: 30e9))) < 10_000)
        #expect(simulation.follower.statistics.resets == 0)
        #expect(simulation.outcomes.contains(.ignored(.farOff)))
    }

    @Test func theBetterStampReplacesTheFirstOne() throws {
        var follower = follower()
        // The leader's user-space stamps are 200 µs early; only the interleaved ones show the true delay of 100 µs.
        var previous: UInt32?
        var now: Int64 = 0
        for _ in 0..<20 {
            now = follower.deadline.nanoseconds - start
            let polled = follower.poll(now: time(now))
            let request = try #require(polled)
            var message = try reply(to: request, arrived: now + 100_000, hold: 50_000)
            if let previous {
                message.previousDistance = 1
                message.previousHold = previous
            }
            _ = follower.received(message.encode(), at: time(now + 450_000), now: time(now + 500_000))
            previous = 250_000
        }
        let estimate = try #require(follower.estimate)
        let error = estimate.groupNanoseconds(atHostNanoseconds: start + now, since: start + now + offset)
        #expect(abs(error) < 2_000)
        #expect(abs(try #require(follower.statistics.rttUs) - 200) < 1)
        #expect(follower.statistics.accepted + follower.statistics.gated == 19)
    }

    @Test func theKernelsOwnStampReplacesTheUserTime() throws {
        var follower = follower()
        for key in 0..<20 as Range<UInt32> {
            let now = follower.deadline.nanoseconds - start
            let polled = follower.poll(now: time(now))
            let request = try #require(polled)
            follower.sent(key: key, userTime: time(now + 1_000))
            follower.transmitted(key: key &+ 100, at: time(now + 2_000))
            follower.transmitted(key: key, at: time(now + 201_000))
            // A second stamp of the same key changes nothing.
            follower.transmitted(key: key, at: time(now + 301_000))
            let message = try reply(to: request, arrived: now + 301_000, hold: 0)
            _ = follower.received(message.encode(), at: time(now + 401_000), now: time(now + 500_000))
        }
        #expect(abs(try #require(follower.statistics.rttUs) - 200) < 1)
    }
}
