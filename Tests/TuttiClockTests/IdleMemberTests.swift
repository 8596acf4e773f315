import Testing
import TuttiClock
import TuttiCore

/// Members while nothing is played, and one that is started again.
@Suite struct IdleMemberTests {
    private static func idle(_ count: Int, seed: UInt64, seconds: Int) -> MemberSimulation {
        var group = MemberSimulation(count, .lan, seed: seed, seconds: seconds)
        for index in 0..<count { group.order(index) { member, now in member.setIdle(true, now: now) } }
        group.begin()
        return group
    }

    @Test("who plays nothing asks once a second and knows the clock all the same", arguments: 1...4)
    func calm(seed: UInt64) {
        var group = Self.idle(4, seed: UInt64(seed), seconds: 200)
        group.run(seconds: 60)
        let before = (1..<4).map { group.requests($0) }
        var worst = 0.0
        group.run(seconds: 100) { group in worst = max(worst, group.spread([0, 1, 2, 3])) }
        for (index, count) in zip(1..<4, before) {
            let asked = group.requests(index) - count
            #expect((80...130).contains(asked), "member \(index) has asked \(asked) times")
        }
        #expect(worst < 8_000)
        for index in 0..<4 { group.order(index) { member, now in member.setIdle(false, now: now) } }
        let then = group.requests(1)
        group.run(seconds: 0.05)
        #expect(group.requests(1) > then, "who is to play asks at once")
        group.run(seconds: 10)
        #expect(group.requests(1) - then > 35)
    }

    @Test("when the leader dies while nothing plays, the others are together within some seconds")
    func death() {
        var group = Self.idle(3, seed: 5, seconds: 120)
        group.run(seconds: 60)
        group.silent = [0]
        group.run(seconds: 4)
        #expect(group.members[1].parent == nil && group.members[2].parent == 1)
        #expect(group.spread([1, 2]) < 8_000)
    }

    @Test("one that is started again goes on from what its last process knew, and is told better by the others")
    func resumed() throws {
        var group = Self.idle(3, seed: 9, seconds: 120)
        group.run(seconds: 60)
        let known = try #require(group.members[2].estimate)
        group.restart(2)
        group.run(seconds: 20)
        group.order(2) { member, now in member.resume(known, with: [0, 1], now: now) }
        #expect(group.spread([0, 2]) < 20_000)
        // What it knows may be old: nobody is told of it before it has heard the others.
        #expect(!group.members[2].mayAnswer)
        group.run(seconds: 2)
        #expect(group.spread([0, 1, 2]) < 5_000)
        #expect(group.members[2].parent == 0 && group.members[2].mayAnswer)
    }

    @Test("where the others are gone it goes on alone, without a step")
    func orphaned() throws {
        var group = Self.idle(2, seed: 10, seconds: 120)
        group.run(seconds: 60)
        let (known, before) = (try #require(group.members[1].estimate), try #require(group.groupTime(1)))
        group.restart(1)
        group.silent = [0]
        group.order(1) { member, now in member.resume(known, with: [0], now: now) }
        group.run(seconds: 5)
        #expect(group.members[1].parent == nil && group.members[1].mayAnswer)
        #expect(abs(try #require(group.groupTime(1)) - before) < 5e9 * 45e-6 + 5_000)
    }
}
