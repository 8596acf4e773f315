import Testing
import TuttiClock
import TuttiCore

@Suite struct ClockMemberTests {
    @Test func theRoomsGoOnWithoutTheirLeader() {
        var group = MemberSimulation(4, .lan, seed: 11, seconds: 200)
        group.begin()
        group.run(seconds: 60)
        #expect(group.spread([0, 1, 2, 3]) < 5_000)
        group.silent = [0]
        var before = [1, 2, 3].map { group.groupTime($0) ?? .nan }
        var worst = 0.0
        var step = 0.0
        let rate = { (group: borrowing MemberSimulation) in [1, 2, 3].map { group.groupTime($0) ?? .nan } }
        group.run(seconds: 60) { group in
            worst = max(worst, group.spread([1, 2, 3]))
            let now = rate(group)
            // The rooms' common clock runs on at the old leader's rate: within 40 ppm of true time.
            step = max(step, zip(now, before).map { abs($0 - $1) }.max() ?? .infinity)
            before = now
        }
        #expect(worst < 8_000)
        #expect(step < 0.1e9 * 45e-6 + 5_000)
        #expect(group.members[1].parent == nil)
        #expect(group.members[2].parent == 1 && group.members[3].parent == 1)
    }

    @Test(arguments: [[1], [1, 1], [1, 1, 2], [1, 2, 1], [2, 2, 2, 1, 1]])
    func whoeverIsNamedTwiceIsAskedAsOften(parents: [Int]) {
        var member = ClockMember<Int>(seed: 3)
        var now = HostTime(nanoseconds: 1_000_000_000)
        member.follow(MemberSimulation.timescale, parents: parents, behind: [1], now: now)
        var (sent, most) = (0, 0)
        // Ten seconds in which nobody answers.
        for _ in 0..<10_000 {
            now = now.advanced(byNanoseconds: 1_000_000)
            var atOnce = 0
            while atOnce < 1_000, let datagram = member.poll(now: now) {
                member.sent(datagram, key: UInt32(sent), userTime: now)
                (sent, atOnce) = (sent + 1, atOnce + 1)
            }
            most = max(most, atOnce)
        }
        #expect(most <= 8)
        #expect(sent < 2_500)
        #expect(member.peers.count == Set(parents).union([1]).count)
    }

    @Test(arguments: 1...8) func theyTurnToAnotherWithinASecond(seed: UInt64) {
        var group = MemberSimulation(3, .lan, seed: seed, seconds: 300)
        group.begin()
        // By then they ask four times a second.
        group.run(seconds: 250 + 0.1 * Double(seed))
        group.silent = [0]
        var worst = 0.0
        group.run(seconds: 1, every: 0.05) { group in worst = max(worst, group.spread([1, 2])) }
        #expect(group.members[1].parent == nil && group.members[2].parent == 1)
        group.run(seconds: 20) { group in worst = max(worst, group.spread([1, 2])) }
        #expect(worst < 8_000)
    }

    @Test(arguments: [NetworkProfile.wifi, .badwifi]) func linksThatStandStillAreNoDeath(profile: NetworkProfile) {
        var group = MemberSimulation(3, profile, seed: 6, seconds: 300)
        // A room leads: radio at both ends.
        group.lead(1)
        for index in [0, 2] { group.order(index) { $0.follow(MemberSimulation.timescale, parents: [1], now: $1) } }
        var changes = 0
        group.run(seconds: 280, every: 0.02) { group in
            if group.members[2].parent != 1 || group.members[0].parent != 1 { changes += 1 }
        }
        #expect(changes == 0)
    }

    @Test func theyReturnToALeaderThatComesBack() {
        var group = MemberSimulation(3, .lan, seed: 5, seconds: 100)
        group.begin()
        group.run(seconds: 20)
        group.silent = [0]
        group.run(seconds: 20)
        group.silent = []
        var worst = 0.0
        group.run(seconds: 10) { group in worst = max(worst, group.spread([1, 2])) }
        #expect(group.members[1].parent == 0 && group.members[2].parent == 0)
        #expect(group.spread([0, 1, 2]) < 8_000)
        #expect(worst < 10_000)
    }

    @Test func aMemberThatCannotReachTheLeaderIsToldByAnother() {
        var group = MemberSimulation(3, .lan, seed: 3, seconds: 100)
        group.begin()
        group.run(seconds: 10)
        group.cut = [[0, 2]]
        group.run(seconds: 30)
        #expect(group.members[2].parent == 1 && group.members[1].parent == 0)
        #expect(group.spread([0, 1, 2]) < 8_000)
    }

    @Test(arguments: 1...4) func anotherOrderMovesNothing(seed: UInt64) {
        var group = MemberSimulation(4, .lan, seed: seed, seconds: 100)
        group.begin()
        group.run(seconds: 30)
        group.silent = [0]
        group.run(seconds: 10)
        // A player that comes later follows room 1 from a coarse line and orders the others anew.
        group.announce([1, 3, 2])
        #expect(group.members[1].parent == nil && [2, 3].allSatisfy { group.members[$0].parent == 1 })
        #expect(group.members[1].statistics(now: group.hostTime(1, group.time)).sigmaUs == 0)
        var worst = 0.0
        group.run(seconds: 20) { group in worst = max(worst, group.spread([1, 2, 3])) }
        #expect([2, 3].allSatisfy { group.members[$0].parent == 1 })
        // As far apart as they are without another order, at the worst of 200 instants.
        #expect(worst < 8_000)
    }

    @Test func twoThatChangePlacesDoNotFollowEachOther() {
        var group = MemberSimulation(3, .lan, seed: 8, seconds: 100)
        group.begin()
        group.run(seconds: 30)
        group.silent = [0]
        group.run(seconds: 10)
        #expect(group.members[1].parent == nil && group.members[2].parent == 1)
        // Room 1 cannot be reached by a player that has room 2 lead, and hears of the new order when it is back.
        group.announce([2, 1], to: [2])
        group.run(seconds: 5)
        group.announce([2, 1], to: [1])
        var worst = 0.0
        group.run(seconds: 20) { group in worst = max(worst, group.spread([1, 2])) }
        #expect(group.members[1].parent == nil && group.members[2].parent == 1)
        #expect(worst < 6_000)
    }

    @Test func aNewMemberBeginsAtOnceFromACoarseLine() throws {
        var group = MemberSimulation(3, .wifi, seed: 4, seconds: 100)
        group.begin()
        group.run(seconds: 10)
        let truth = try #require(group.groupTime(2))
        var fresh = ClockMember<Int>(seed: 99)
        let now = group.hostTime(2, group.time)
        let guess = ClockEstimate(
            timescale: MemberSimulation.timescale, referenceHost: now,
            offset: Int64(group.time + truth) + 2_000_000 - now.nanoseconds, drift: 0, offsetSigma: 5e6,
            driftSigma: 100e-6)
        fresh.follow(MemberSimulation.timescale, parents: [0], startingFrom: guess, now: now)
        #expect(fresh.estimate != nil)
    }

    @Test func aClockThatIsNotKnownIsNotAnswered() {
        var member = ClockMember<Int>(seed: 1)
        let now = HostTime(nanoseconds: 5_000_000_000)
        member.follow(MemberSimulation.timescale, parents: [7], now: now)
        let request = TimingMessage(
            requestOn: MemberSimulation.timescale, clientID: 3, sequence: 4, t1: 5
        ).encode()
        #expect(member.received(request, from: 9, at: now, now: now) == nil)
        #expect(member.responses.answered == 0)
    }
}
