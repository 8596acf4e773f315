import Testing
import TuttiLab
import TuttiSimulation

/// Links of simulated houses.
@Suite struct LinkTests {
    @Test func profilesAreThoseOfTheLaboratory() throws {
        for link in Link.profiles {
            let profile = try #require(LinkProfile.named(link.name))
            for (own, its) in [(link.up, profile.uplink), (link.down, profile.downlink)] {
                #expect(own.delay == its.base && own.jitter == its.jitter && own.loss == its.loss, "\(link.name)")
                #expect(own.stall?.period == its.stall?.period && own.stall?.longest == its.stall?.longest)
                #expect(own.stall?.shortest == its.stall?.shortest && own.bitsPerSecond == nil && its.passes)
            }
        }
    }
}
