import Testing
import TuttiClock
import TuttiCore

/// Whether members know of one another that all go by their system clocks.
struct SystemMemberTests {
    private func simulation(_ count: Int = 4, without: Set<Int> = []) -> MemberSimulation {
        var simulation = MemberSimulation(count, .lan, seed: 3, seconds: 60)
        for index in 0..<count where !without.contains(index) {
            simulation.order(index) { member, _ in
                member.usesSystemClock = true
                member.leadsBySystemClock = true
            }
        }
        simulation.begin()
        return simulation
    }

    private func opinions(_ simulation: MemberSimulation) -> [Bool] {
        simulation.members.indices.map { index in
            simulation.members[index].isSystemGroup(now: simulation.hostTime(index, simulation.time))
        }
    }

    @Test func allKnowWhenAllDo() {
        var simulation = simulation()
        simulation.run(seconds: 3)
        #expect(opinions(simulation) == [true, true, true, true])
    }

    @Test(arguments: 0..<4) func oneThatDoesNotMakesAGroupAMixedOne(other: Int) {
        var simulation = simulation(without: [other])
        simulation.run(seconds: 3)
        #expect(opinions(simulation) == [false, false, false, false])
        // It is started again, as the others are.
        simulation.order(other) { member, _ in
            (member.usesSystemClock, member.leadsBySystemClock) = (true, true)
        }
        simulation.run(seconds: 3)
        #expect(opinions(simulation) == [true, true, true, true])
    }

    @Test func membersGoByExchangesUntilTheLeaderIsReady() {
        var simulation = simulation()
        simulation.order(0) { member, _ in member.leadsBySystemClock = false }
        simulation.run(seconds: 3)
        #expect(opinions(simulation) == [true, false, false, false])
    }

    @Test func whoeverIsBehindAnotherIsCounted() {
        var simulation = simulation(without: [3])
        // The last one reaches the leader through another.
        simulation.cut = [[0, 3], [3, 0]]
        simulation.run(seconds: 8)
        #expect(simulation.members[3].estimate != nil)
        #expect(opinions(simulation) == [false, false, false, false])
    }

    @Test func theLineOfALeaderCanBeMovedAndNoOthers() throws {
        var simulation = simulation()
        simulation.run(seconds: 3)
        for index in [0, 1] {
            let now = simulation.hostTime(index, simulation.time)
            let before = try #require(simulation.members[index].estimate).groupTime(at: now)
            simulation.order(index) { member, _ in
                guard var line = member.estimate else { return }
                line.offset += 250
                member.steer(line)
            }
            let after = try #require(simulation.members[index].estimate).groupTime(at: now)
            #expect(after.nanoseconds(since: before) == (index == 0 ? 250 : 0))
        }
    }
}
