import Testing
import TuttiClock
import TuttiCore

/// What is said by those that a member does not know, or that have another time.
@Suite struct StrangerTests {
    private static let scale = MemberSimulation.timescale

    private static func leader(at now: HostTime) -> ClockMember<Int> {
        var member = ClockMember<Int>(seed: 5)
        member.lead(
            ClockEstimate(
                timescale: scale, referenceHost: now, offset: 1_000_000, drift: 0, offsetSigma: 0, driftSigma: 0))
        member.follow(scale, parents: [], behind: [1], now: now)
        return member
    }

    /// A question of somebody who says that the time comes from the best leader there can be.
    private static func question(_ now: HostTime) -> [UInt8] {
        var question = TimingMessage(requestOn: scale, clientID: 9, sequence: 1, t1: now.nanoseconds)
        question.descent = ClockDescent(losses: 0, leader: 1)
        return question.encode()
    }

    /// Whom a member asks from now on for a second; one of them answers, with a time that is so far off.
    private static func asked(
        _ member: inout ClockMember<Int>, from now: HostTime, _ address: Int, answeringWith step: Int64
    ) -> [Int] {
        var (asked, time) = ([] as [Int], now)
        for _ in 0..<100 {
            while let request = member.poll(now: time) {
                asked.append(request.address)
                guard request.address == address, let message = try? TimingMessage(parsing: request.bytes) else {
                    continue
                }
                var reply = TimingMessage(replyTo: message, t2: time.nanoseconds + 1_100_000 + step, hold: 10)
                reply.descent = ClockDescent(losses: 0, leader: 1)
                let arrival = time.advanced(byNanoseconds: 200_000)
                _ = member.received(reply.encode(), from: request.address, at: arrival, now: arrival)
            }
            time = time.advanced(byNanoseconds: 10_000_000)
        }
        return asked
    }

    @Test(arguments: [15_000_000, -15_000_000, 2_000_000_000, -432_000_000_000_000] as [Int64])
    func aStrangerWithAnotherTimeIsNotFollowed(step: Int64) {
        let now = HostTime(nanoseconds: 1_000_000_000_000)
        var member = Self.leader(at: now)
        #expect(member.received(Self.question(now), from: 66, at: now, now: now) != nil)
        #expect(Self.asked(&member, from: now, 66, answeringWith: step).contains(66))
        #expect(member.isLeading && member.parent == nil)
        #expect(member.estimate?.groupTime(at: now).nanoseconds == now.nanoseconds + 1_000_000)
        // One of the order is asked back.
        var other = Self.leader(at: now)
        #expect(other.received(Self.question(now), from: 1, at: now, now: now) != nil)
        #expect(Self.asked(&other, from: now, 1, answeringWith: 0).contains(1) && other.parent == 1)
    }

    @Test(arguments: [2_000_000_000, -2_000_000_000, 432_000_000_000_000] as [Int64])
    func whatSoundsDoesNotFollowABetterLeaderFarAway(step: Int64) {
        let now = HostTime(nanoseconds: 1_000_000_000_000)
        for isSounding in [true, false] {
            var member = Self.leader(at: now)
            member.isSounding = isSounding
            _ = member.received(Self.question(now), from: 1, at: now, now: now)
            #expect(Self.asked(&member, from: now, 1, answeringWith: step).contains(1))
            #expect(member.isLeading == isSounding)
            let passed = member.estimate?.groupTime(at: now).nanoseconds ?? 0
            #expect(!isSounding || passed == now.nanoseconds + 1_000_000)
        }
        // A step of less is worth it: the house has one time again.
        var member = Self.leader(at: now)
        member.isSounding = true
        _ = member.received(Self.question(now), from: 1, at: now, now: now)
        _ = Self.asked(&member, from: now, 1, answeringWith: 300_000_000)
        #expect(member.parent == 1)
    }
}
