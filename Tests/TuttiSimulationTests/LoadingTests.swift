import Testing
import TuttiSimulation

/// Rooms that load through links that others use.
struct LoadingTests {
    /// A house whose rooms are behind one link of so many bits a second.
    private static func house(rooms: Int, sharing rate: Int64) -> Scenario {
        var link = Link.lan
        (link.down.bitsPerSecond, link.down.air) = (rate, "loft")
        (link.up.bitsPerSecond, link.up.air) = (rate, "loft")
        link.name = "own"
        return WorldHouse.scenario(rooms: rooms, link: link)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func loadingDoesNotMoveTheClock(seed: UInt64) throws {
        let scenario = Self.house(rooms: 5, sharing: 20_000_000)
        let observations = WorldHouse.observe(scenario, seed: seed, seconds: 25)
        for observation in observations where observation.at > 3 * WorldHouse.second {
            for room in observation.rooms {
                let lateness = try #require(room.lateness, "it sounds")
                #expect(max(abs(lateness.least), abs(lateness.greatest)) < 150_000, "\(room.name) at \(observation.at)")
            }
        }
        let end = try #require(observations.last)
        #expect(end.rooms.allSatisfy { $0.dropouts == 0 && $0.silentLoaded == 0 && $0.silentEmpty == 0 })
    }
}
