import Testing
import TuttiCards
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

    @Test func drawnLinksAreThoseOfTheLaboratory() throws {
        for seed in UInt64(0)..<40 {
            let (link, profile) = (Link.drawn(seed: seed), LinkProfile.drawn(seed: seed))
            let capacity = try #require(profile.downlink.capacity)
            #expect(link.down.delay == profile.downlink.base && link.down.jitter == profile.downlink.jitter)
            #expect(link.up.bitsPerSecond == capacity.bitsPerSecond && link.up.isFair == capacity.isFair)
            #expect(link.down.stall?.longest == profile.downlink.stall?.longest)
        }
        #expect(Set((0..<40).map { Link.drawn(seed: $0).name.prefix { $0 != "#" } }).count == 4, "of all sorts")
    }
}
