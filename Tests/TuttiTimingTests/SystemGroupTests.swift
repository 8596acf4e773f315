import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiTiming

/// Members on this host, which has one system clock, with clocks of their own that run differently.
@Suite(.repeatedWhenDisturbed, .serialized) struct SystemGroupTests {
    private struct Running {
        let clock: GroupClock

        init(_ warp: String, usesSystemClock: Bool = true) throws {
            var hostClock = try HostClock.system(environment: ["TUTTI_TEST_CLOCK": warp])
            hostClock.usesSystemClock = usesSystemClock
            let clock = try GroupClock(hostClock: hostClock, address: "127.0.0.1")
            self.clock = clock
            _ = try RealtimeThread.spawn(name: "clock", priority: nil) { clock.runLoop() }
        }

        var reason: SystemClockReport.Reason? { clock.systemReport?.reason }
    }

    private func follow(_ members: [Running]) throws {
        let timescale = members[0].clock.lead()
        let addresses = try members.map { try #require(SocketAddress(host: "127.0.0.1", port: $0.clock.port)) }
        for index in members.indices {
            members[index].clock.follow(
                timescale, parents: Array(addresses[..<index]), behind: Array(addresses[(index + 1)...]))
        }
    }

    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<600 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    @Test func membersTakeTheSystemClockAndOneThatDisagreesDoesNot() async throws {
        let members = try [
            Running("ppm=20,system=0s"), Running("ppm=-30,offset=3s,system=0s"), Running("ppm=5,system=400us"),
        ]
        defer { for member in members { member.clock.stop() } }
        try follow(members)
        #expect(try await eventually { members[0].reason == nil && members[1].reason == nil })
        #expect(try await eventually { members[2].reason == .disagrees })
        let report = try #require(members[1].clock.systemReport)
        #expect(abs(report.offsetUs ?? .infinity) < 100 + 3 * (report.offsetSigmaUs ?? 0))
        #expect(members[1].clock.takeRemarks() == ["the group's clock is taken from the system clock"])
        let times = try members.prefix(2).map { try #require($0.clock.now()).nanoseconds }
        #expect(abs(times[1] - times[0]) < 5_000_000)
    }

    @Test func withOneOfAnotherModeExchangesCount() async throws {
        let members = try [Running("ppm=20,system=0s"), Running("system=0s"), Running("ppm=3", usesSystemClock: false)]
        defer { for member in members { member.clock.stop() } }
        try follow(members)
        #expect(try await eventually { members[0].reason == .mixed && members[1].reason == .mixed })
        #expect(members[2].clock.systemReport == nil)
        members[2].clock.stop()
        // The leader comes back to whole milliseconds slowly; until it is there the others go by exchanges.
        #expect(try await eventually { members[0].reason == nil })
    }
}
