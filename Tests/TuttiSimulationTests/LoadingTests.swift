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
                let lateness = try #require(room.truth.lateness, "it sounds")
                #expect(max(abs(lateness.least), abs(lateness.greatest)) < 150_000, "\(room.name) at \(observation.at)")
            }
        }
        let end = try #require(observations.last)
        #expect(end.rooms.allSatisfy { $0.truth.isUnbroken })
    }

    /// Houses whose links are drawn. After ten seconds bad Wi-Fi may still be some 0.2 ms off at a first meeting.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func anyLinksLoadAndKeepTime(seed: UInt64) throws {
        var scenario = WorldHouse.scenario(rooms: 5, link: .lan)
        for index in scenario.rooms.indices { scenario.rooms[index].link = .drawn(seed: 100 * seed + UInt64(index)) }
        let observations = WorldHouse.observe(scenario, seed: seed, seconds: 30)
        let names = scenario.rooms.map(\.link.name)
        var worst = [String: Int64]()
        for observation in observations where observation.at > 12 * WorldHouse.second {
            for room in observation.rooms {
                let lateness = try #require(room.truth.lateness, "\(room.name) of \(names) sounds")
                worst[room.name] = max(worst[room.name] ?? 0, abs(lateness.least), abs(lateness.greatest))
            }
        }
        #expect(worst.values.allSatisfy { $0 < 400_000 }, "\(worst) ns of \(names)")
        let end = try #require(observations.last)
        #expect(end.rooms.allSatisfy { $0.truth.dropouts == 0 && $0.truth.silentLoaded == 0 }, "\(names)")
    }
}
