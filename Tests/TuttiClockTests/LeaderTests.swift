import Testing
import TuttiClock
import TuttiCore

/// Who leads, and that nobody follows in a circle, whatever happens to links and orders.
@Suite struct LeaderTests {
    /// The leaders, and whether anybody follows one that follows it.
    private static func standing(_ group: borrowing MemberSimulation, _ indices: [Int]) -> (
        leaders: [Int], isCircle: Bool
    ) {
        var isCircle = false
        for index in indices {
            var (place, steps) = (index, 0)
            // Time does not flow through one that answers nobody.
            while let parent = group.members[place].parent, group.members[place].mayAnswer, steps <= indices.count,
                parent < group.members.count
            {
                (place, steps) = (parent, steps + 1)
            }
            if steps > indices.count { isCircle = true }
        }
        return (indices.filter { group.members[$0].isLeading }, isCircle)
    }

    @Test func twoSidesHaveALeaderEachAndThenOne() {
        var group = MemberSimulation(6, .lan, seed: 21, seconds: 100)
        group.begin()
        group.run(seconds: 10)
        let far = [2, 3, 5]
        for one in far { for other in [0, 1, 4] { group.cut.insert([one, other]) } }
        group.run(seconds: 3)
        #expect(Self.standing(group, [0, 1, 4]).leaders == [0])
        #expect(Self.standing(group, far).leaders == [2])
        group.run(seconds: 20)
        group.cut = []
        var worst = 0.0
        group.run(seconds: 4) { group in worst = max(worst, group.spread(far)) }
        #expect(Self.standing(group, [0, 1, 2, 3, 4, 5]).leaders == [0])
        group.run(seconds: 6)
        #expect(worst < 10_000)
        #expect(group.spread([0, 1, 2, 3, 4, 5]) < 10_000)
    }

    @Test func whoLeadsGoesOnWhateverTheOrder() {
        var group = MemberSimulation(4, .lan, seed: 4, seconds: 100)
        group.begin()
        group.run(seconds: 5)
        for order in [[3, 2, 1], [2, 1, 3], [1, 3, 2]] {
            group.announce(order)
            group.run(seconds: 3)
            #expect(Self.standing(group, [0, 1, 2, 3]).leaders == [0])
            #expect([1, 2, 3].allSatisfy { group.members[$0].parent == 0 })
        }
    }

    /// Two players tell rooms of different others; they share the clock all the same.
    @Test func roomsOfTwoOrdersFindTheOneLeader() {
        var group = MemberSimulation(5, .lan, seed: 12, seconds: 100)
        group.begin()
        group.run(seconds: 10)
        // Rooms 3 and 4 are told of room 2 alone, and room 2 of them.
        group.announce([2, 3, 4])
        group.run(seconds: 5)
        group.silent = [0]
        group.run(seconds: 5)
        let standing = Self.standing(group, [1, 2, 3, 4])
        #expect(standing.leaders.count == 1 && !standing.isCircle)
        #expect(group.spread([1, 2, 3, 4]) < 8_000)
    }

    /// The leader has another address that nobody knows; it asks the others itself.
    @Test func aLeaderThatMovedIsFoundByThoseItAsks() {
        var group = MemberSimulation(4, .lan, seed: 9, seconds: 100)
        group.begin()
        group.run(seconds: 10)
        group.moved = [0: 70]
        group.run(seconds: 1.5)
        #expect(Self.standing(group, [0, 1, 2, 3]).leaders == [0, 1])
        group.run(seconds: 8)
        #expect((1...3).allSatisfy { group.members[$0].parent == 70 })
    }

    /// The leader that moved knows one of the rooms, and that one follows another leader meanwhile, which hears of it
    /// at once.
    @Test(arguments: 1...6) func aLeaderThatIsLeftForABetterOneHearsOfIt(seed: UInt64) {
        var group = MemberSimulation(3, .lan, seed: seed, seconds: 100)
        group.lead(0)
        group.announce([0, 1], to: [0])
        group.announce([0, 2, 1], to: [1, 2])
        group.run(seconds: 10)
        group.moved = [0: 70]
        group.run(seconds: 1.5)
        #expect(group.members[1].parent == 2)
        #expect(group.members[2].isLeading)
        var (left, heard): (Double?, Double?)
        group.run(seconds: 8, every: 0.02) { group in
            if group.members[1].parent == 70 { left = left ?? group.time }
            if !group.members[2].isLeading { heard = heard ?? group.time }
        }
        #expect((heard ?? .infinity) - (left ?? 0) < 0.2e9)
        #expect(Self.standing(group, [0, 1, 2]).leaders == [0])
    }

    /// A room that follows another loses it, for that one has moved, and leads, for it knows nobody else; the one that
    /// moved misses its questions.
    @Test(arguments: 1...4) func whoLosesARoomThatMovedIsAskedByIt(seed: UInt64) {
        var group = MemberSimulation(3, .lan, seed: seed, seconds: 100)
        group.lead(0)
        group.announce([0, 1], to: [0])
        group.announce([0, 1, 2], to: [1])
        group.announce([1, 2], to: [2])
        group.run(seconds: 10)
        #expect(group.members[2].parent == 1)
        group.moved = [1: 71]
        group.run(seconds: 1.5)
        #expect(group.members[2].isLeading)
        group.run(seconds: 2)
        #expect(Self.standing(group, [0, 1, 2]).leaders == [0])
        #expect(group.members[2].parent == 71)
    }

    /// A room has heard the leader and is told to ask another before it knows the clock. That one has nothing newer to
    /// say; until it has, the room does not pass for an older program, which the leader itself would follow.
    @Test(arguments: 1...4) func aRoomThatDoesNotKnowTheClockYetIsNotFollowed(seed: UInt64) {
        var group = MemberSimulation(3, .lan, seed: seed, seconds: 100)
        group.lead(0)
        group.announce([0, 1])
        group.run(seconds: 10)
        group.announce([0, 1, 2], to: [2])
        group.run(seconds: 0.02)
        group.cut = [[0, 1]]
        group.announce([1, 2], to: [2])
        group.run(seconds: 0.2)
        #expect(group.members[2].parent == 1)
        #expect(group.members[2].estimate != nil)
        group.announce([2, 1, 0], to: [0])
        var hasFollowed = false
        group.run(seconds: 0.3, every: 0.02) { group in if group.members[0].parent != nil { hasFollowed = true } }
        group.cut = []
        group.run(seconds: 5, every: 0.02) { group in if group.members[0].parent != nil { hasFollowed = true } }
        #expect(!hasFollowed)
        #expect(Self.standing(group, [0, 1, 2]).leaders == [0])
    }

    /// The lid of the only computer is closed. Nobody knows the clock then, but all remember it, and the time asleep
    /// counts.
    @Test(arguments: 1...4) func theClockGoesOnWhenAllHaveSlept(seed: UInt64) {
        var group = MemberSimulation(4, .lan, seed: seed, seconds: 200)
        group.begin()
        group.run(seconds: 20)
        let before = group.groupTime(1) ?? .nan
        group.sleep([0, 1, 2, 3], seconds: 60)
        #expect((0...3).allSatisfy { group.members[$0].estimate == nil && !group.members[$0].mayAnswer })
        group.run(seconds: 4)
        #expect(Self.standing(group, [0, 1, 2, 3]).leaders == [0])
        group.run(seconds: 4)
        #expect(group.spread([0, 1, 2, 3]) < 10_000)
        // As well as oscillators of 40 ppm count a minute, one for another.
        #expect(abs((group.groupTime(1) ?? .nan) - before) < 10_000_000)
        // One that was away all the time knows better than they do, and is followed.
        group.sleep([0, 1, 2], seconds: 60)
        #expect(group.members[3].isLeading)
        group.run(seconds: 4)
        #expect(Self.standing(group, [0, 1, 2, 3]).leaders == [3])
    }

    @Test func whoHasSleptAloneDoesNotTakeTheClockAlong() {
        var group = MemberSimulation(4, .lan, seed: 3, seconds: 200)
        group.begin()
        group.run(seconds: 20)
        group.cut = [[0, 1], [0, 2], [0, 3]]
        group.sleep([0], seconds: 60)
        group.run(seconds: 5)
        #expect(group.members[0].isLeading)
        var (worst, last) = (0.0, group.groupTime(1) ?? .nan)
        group.cut = []
        group.run(seconds: 6) { group in
            let now = group.groupTime(1) ?? .nan
            (worst, last) = (max(worst, abs(now - last)), now)
        }
        #expect(Self.standing(group, [0, 1, 2, 3]).leaders == [1])
        #expect(worst < 20_000)
    }

    /// A room that is started anew asks one that followed it: what that one says is the room's own word, which proves
    /// nothing.
    @Test func aRoomThatForgotDoesNotFollowItsOwnFollower() {
        var group = MemberSimulation(3, .lan, seed: 14, seconds: 100)
        group.begin()
        group.run(seconds: 10)
        // Room 2 reaches the leader through room 1 only.
        group.cut = [[0, 2]]
        group.run(seconds: 10)
        #expect(group.members[2].parent == 1)
        group.silent = [0]
        group.restart(1)
        group.announce([2, 1], to: [1])
        var hasAnswered = false
        group.run(seconds: 0.4, every: 0.01) { group in
            if group.members[1].responses.answered > 0 { hasAnswered = true }
        }
        #expect(!hasAnswered)
        group.run(seconds: 5)
        #expect(Self.standing(group, [1, 2]).leaders == [2])
        #expect(group.members[1].parent == 2)
    }

    @Test func aRoomWithACoarseLineLeadsNobodyThatKnowsBetter() {
        var group = MemberSimulation(4, .lan, seed: 31, seconds: 100)
        group.begin()
        group.run(seconds: 10)
        group.restart(3)
        group.order(3) { member, now in
            let guess = ClockEstimate(
                timescale: MemberSimulation.timescale, referenceHost: now, offset: 77_000_000, drift: 0,
                offsetSigma: 5e6, driftSigma: 100e-6)
            member.follow(
                MemberSimulation.timescale, parents: [0], behind: [1, 2], startingFrom: guess, now: now)
        }
        let before = group.groupTime(1) ?? .nan
        group.silent = [0]
        group.cut = [[1, 3], [2, 3]]
        group.run(seconds: 2)
        #expect(group.members[3].isLeading)
        group.cut = []
        var worst = 0.0
        group.run(seconds: 5) { group in worst = max(worst, abs((group.groupTime(1) ?? .nan) - before)) }
        #expect(Self.standing(group, [1, 2, 3]).leaders.allSatisfy { $0 != 3 })
        #expect(worst < 1_000_000)
        #expect(group.spread([1, 2, 3]) < 10_000)
    }

    /// The rule that excludes circles holds at each instant, not only in the end.
    @Test(arguments: 1...12) func nobodyEverFollowsInACircle(seed: UInt64) {
        let all = Array(0..<6)
        var group = MemberSimulation(6, seed % 2 == 0 ? .wifi : .lan, seed: seed, seconds: 200)
        var chance = SeededGenerator(seed &* 77)
        group.begin()
        group.run(seconds: 3)
        var circles = 0
        for _ in 0..<12 {
            switch chance.next() % 4 {
            case 0: group.silent = Set(all.filter { _ in chance.next() % 4 == 0 })
            case 1:
                let side = Set(all.filter { _ in chance.next() % 2 == 0 })
                group.cut = Set(
                    all.flatMap { one in all.map { [one, $0] } }.filter { side.contains($0[0]) != side.contains($0[1]) }
                )
            case 2: group.announce(all.shuffled(using: &chance))
            default:
                group.announce(
                    all.shuffled(using: &chance), to: Set(all.filter { _ in chance.next() % 2 == 0 }))
            }
            group.run(seconds: 1 + 3 * chance.uniform(), every: 0.02) { group in
                if Self.standing(group, all).isCircle { circles += 1 }
            }
        }
        #expect(circles == 0)
        (group.silent, group.cut) = ([], [])
        group.run(seconds: 5, every: 0.02) { group in if Self.standing(group, all).isCircle { circles += 1 } }
        #expect(Self.standing(group, all).leaders == [0])
        #expect(circles == 0)
    }
}
