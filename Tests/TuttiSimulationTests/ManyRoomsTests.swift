import Testing
import TuttiSimulation

/// Houses of more rooms than one room can be asked by.
struct ManyRoomsTests {
    @Test func hundredsOfRoomsPlayAndNobodyIsAskedForTheTimeByMany() throws {
        var scenario = WorldHouse.scenario(rooms: 260)
        // Most of what such a house costs is what fills its rooms.
        for index in scenario.rooms.indices { scenario.rooms[index].buffer = 10 * WorldHouse.second }
        var world = World(scenario: scenario, seed: 1, bugs: [])
        for step in Script(for: scenario, seed: 1).steps {
            world.run(until: step.at)
            world.apply(step.action)
        }
        world.run(until: 10 * WorldHouse.second)
        let house = world.observe()
        #expect(house.rooms.filter { $0.state != "playing" }.map(\.name).isEmpty)
        #expect(house.senders[0].groups[0].connections.count == 260)
        var askers: [Machine: Int] = [:]
        for room in house.rooms { if let parent = room.clock?.leader { askers[parent, default: 0] += 1 } }
        // Sixteen ask the sender; the others are spread among those, sixteen or seventeen each. While another order is
        // on its way some have heard of it and some have not.
        #expect(askers.values.reduce(0, +) == 260)
        #expect(try #require(askers.values.max()) <= 2 * 17, "\(askers)")
        #expect(askers[.sender("desk")] ?? 0 > 0)
    }
}
