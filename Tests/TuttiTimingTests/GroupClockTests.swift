import TestSupport
import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiTiming

/// Three members on this host's loopback, each with a warped clock of its own.
@Suite(.serialized, .repeatedWhenDisturbed) struct GroupClockTests {
    /// Late enough that all know the clock before, on a machine that is busy with other tests as well.
    private static let sleep = "sleep=0.5s@2s"
    /// A member that old has slept, and has had time to notice, ns.
    private static let awake: Int64 = 3_800_000_000

    @Test func membersAgreeAndGoOnWithoutTheFirst() async throws {
        let leader = try Running()
        let second = try Running(warp: "ppm=30,offset=5s")
        let third = try Running(warp: "ppm=-40,offset=-9s")
        defer { for member in [second, third] { member.clock.stop() } }
        let timescale = leader.clock.lead()
        let first = try loopback(leader.clock.port)
        second.clock.follow(timescale, parents: [first])
        third.clock.follow(timescale, parents: [first, try loopback(second.clock.port)])
        try await eventually("both know the clock") {
            second.clock.standing != nil && third.clock.standing?.parent == first
        }
        #expect(try spread([leader, second, third]) < 1_000_000)
        leader.clock.stop()
        try await eventually("the third asks the second") {
            third.clock.standing?.parent?.port == second.clock.port && second.clock.standing?.parent == nil
        }
        #expect(second.clock.standing?.timescale == timescale)
        #expect(try spread([second, third]) < 1_000_000)
    }

    @Test func aFollowerThatHasSleptLearnsTheClockAnew() async throws {
        let leader = try Running()
        let sleeper = try Running(warp: Self.sleep)
        defer { for member in [leader, sleeper] { member.clock.stop() } }
        sleeper.clock.follow(leader.clock.lead(), parents: [try loopback(leader.clock.port)])
        try await eventually("the clock is known") { sleeper.clock.standing != nil }
        #expect(try spread([leader, sleeper]) < 1_000_000)
        try await eventually("it has slept") { sleeper.age > Self.awake }
        try await eventually("the clock is known again") { sleeper.clock.standing != nil }
        #expect(try spread([leader, sleeper]) < 1_000_000)
    }

    @Test func aLeaderThatHasSleptLeadsNoMore() async throws {
        let leader = try Running(warp: Self.sleep)
        let second = try Running()
        let third = try Running()
        defer { for member in [leader, second, third] { member.clock.stop() } }
        let timescale = leader.clock.lead()
        let first = try loopback(leader.clock.port)
        second.clock.follow(timescale, parents: [first])
        third.clock.follow(timescale, parents: [first, try loopback(second.clock.port)])
        try await eventually("both know the clock") {
            second.clock.standing != nil && third.clock.standing?.parent == first
        }
        let before = try #require(third.clock.now()).nanoseconds
        let began = HostClock.rawNow()
        try await eventually("the third asks the second") {
            third.clock.standing?.parent?.port == second.clock.port && second.clock.standing?.parent == nil
        }
        #expect(leader.clock.isLost)
        #expect(try spread([second, third]) < 1_000_000)
        let passed = try #require(third.clock.now()).nanoseconds - before
        #expect(abs(passed - (HostClock.rawNow() - began)) < 2_000_000, "the time went on without a step")
        leader.clock.follow(timescale, parents: [try loopback(second.clock.port)])
        try await eventually("it knows the clock again") { leader.clock.standing != nil }
        #expect(try spread([leader, second, third]) < 1_000_000)
    }

    @Test func theClockGoesOnWhenAllHaveSlept() async throws {
        let (leader, second) = (try Running(warp: Self.sleep), try Running(warp: Self.sleep))
        defer { for member in [leader, second] { member.clock.stop() } }
        let timescale = leader.clock.lead()
        second.clock.follow(timescale, parents: [try loopback(leader.clock.port)])
        leader.clock.follow(timescale, parents: [], behind: [try loopback(second.clock.port)])
        try await eventually("both know the clock") { second.clock.standing != nil }
        let before = try #require(leader.clock.now()).nanoseconds
        let began = HostClock.rawNow()
        try await eventually("both have slept") { leader.clock.standing == nil && second.clock.standing == nil }
        try await eventually("both know the clock again") {
            leader.clock.standing != nil && second.clock.standing != nil
        }
        #expect(leader.clock.standing?.timescale == timescale && second.clock.standing?.timescale == timescale)
        #expect(try spread([leader, second]) < 1_000_000)
        let passed = try #require(leader.clock.now()).nanoseconds - before
        #expect(abs(passed - (HostClock.rawNow() - began)) < 20_000_000, "the time asleep counts")
    }

    @Test func aPortThatIsTakenIsReplacedByAnother() throws {
        let first = try GroupClock(hostClock: HostClock(), port: 0)
        let second = try GroupClock(hostClock: HostClock(), port: first.port)
        #expect(second.port != first.port && second.port != 0)
    }

    private func loopback(_ port: UInt16) throws -> SocketAddress {
        try #require(SocketAddress(host: "127.0.0.1", port: port))
    }

    /// The widest difference between members that are asked one right after the other, ns.
    private func spread(_ members: [Running]) throws -> Int64 {
        var least = Int64.max
        for _ in 0..<20 {
            let times = try members.map { try #require($0.clock.now()).nanoseconds }
            if let low = times.min(), let high = times.max() { least = min(least, high - low) }
        }
        return least
    }

    private struct Running {
        let clock: GroupClock
        private let began = HostClock.rawNow()

        /// Nanoseconds since it began, those asleep as well.
        var age: Int64 { HostClock.rawNow() - began }

        init(warp: String = "") throws {
            let environment = warp.isEmpty ? [:] : ["TUTTI_TEST_CLOCK": warp]
            let clock = try GroupClock(hostClock: HostClock.system(environment: environment), address: "127.0.0.1")
            self.clock = clock
            _ = try RealtimeThread.spawn(name: "clock", priority: nil) { clock.runLoop() }
        }
    }
}

/// Waits until `condition` holds, at most ten seconds.
private func eventually(_ what: String, _ condition: () throws -> Bool) async throws {
    for _ in 0..<1000 {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("never: \(what)")
    throw CancellationError()
}
