import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiTiming

@Suite struct RecentAskersTests {
    @Test func whoAsksForTheTimeIsKnownForAWhile() async throws {
        let leader = try GroupClock(hostClock: HostClock(), address: "127.0.0.1")
        let follower = try GroupClock(hostClock: HostClock(), address: "127.0.0.1")
        let threads = try [leader, follower].map { clock throws(HostError) in
            try RealtimeThread.spawn(name: "clock", priority: nil) { clock.runLoop() }
        }
        defer {
            for clock in [leader, follower] { clock.stop() }
            for thread in threads { thread.join() }
        }
        let timescale = leader.lead()
        #expect(leader.hostsAsking(within: 3_000_000_000).isEmpty)
        let address = try #require(SocketAddress(host: "127.0.0.1", port: leader.port))
        follower.follow(timescale, parents: [address])
        for _ in 0..<200 where leader.hostsAsking(within: 3_000_000_000).isEmpty {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(leader.hostsAsking(within: 3_000_000_000) == ["127.0.0.1"])
        #expect(follower.hostsAsking(within: 3_000_000_000).isEmpty)
        #expect(leader.hostsAsking(within: -3_000_000_000).isEmpty)
        for _ in 0..<200 where leader.requestCounts["127.0.0.1"] ?? 0 < 5 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try #require(leader.requestCounts["127.0.0.1"]) >= 5)
        #expect(follower.requestCounts.isEmpty)
    }
}
