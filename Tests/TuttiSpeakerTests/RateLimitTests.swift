import Testing
import TuttiCore
import TuttiSpeaker

/// How much strangers may have of a speaker.
@Suite struct RateLimitTests {
    /// How many of `count` are allowed.
    private static func allowed(_ count: Int, by limit: inout RateLimit, atMs now: Int64) -> Int {
        var allowed = 0
        for _ in 0..<count where limit.allows(now: HostTime(nanoseconds: now * 1_000_000)) { allowed += 1 }
        return allowed
    }

    @Test func someAreAllowedAtOnceAndMoreAsTimePasses() {
        var limit = RateLimit(perSecond: 10, atOnce: 3)
        // A clock that goes back gives nothing, and takes nothing for ever.
        let steps: [(ms: Int64, allowed: Int)] = [(0, 3), (50, 0), (110, 1), (60_000, 3), (0, 0), (1_000, 3)]
        for step in steps { #expect(Self.allowed(5, by: &limit, atMs: step.ms) == step.allowed, "\(step)") }
    }

    @Test func aHostThatBeginsManyHandshakesLeavesOthersTheirShare() {
        var limit = HandshakeLimit()
        func allowed(_ hosts: [String], atMs now: Int64) -> Int {
            var allowed = 0
            for host in hosts where limit.allows(host, now: HostTime(nanoseconds: now * 1_000_000)) { allowed += 1 }
            return allowed
        }
        #expect(allowed([String](repeating: "10.0.0.1", count: 100), atMs: 0) == 20)
        #expect(allowed((0..<1_000).map { "host \($0)" }, atMs: 0) == 60, "80 at once in all")
        #expect(allowed((0..<1_000).map { "other \($0)" }, atMs: 1_000) == 40)
    }
}
