import Foundation
import Testing
import TuttiSimulation

struct WorldTests {
    @Test func aQuietHouseIsInStepWithoutAGap() throws {
        let observations = WorldHouse.observe(WorldHouse.scenario(rooms: 3), seconds: 60)
        let end = try #require(observations.last)
        for room in end.rooms {
            #expect(room.state == "playing")
            #expect(room.truth.dropouts == 0)
            #expect(room.truth.silentLoaded == 0)
            #expect(room.truth.silentEmpty == 0)
            #expect(room.truth.resyncs == 0)
        }
        for observation in observations where observation.at > 20 * WorldHouse.second {
            for room in observation.rooms {
                let lateness = try #require(room.truth.lateness)
                #expect(max(abs(lateness.least), abs(lateness.greatest)) < 100_000)
            }
        }
    }

    @Test func anotherSampleRateBeginsWhereTheSongBeforeEnds() throws {
        var scenario = WorldHouse.scenario(rooms: 2)
        for (index, rate) in [48_000, 44_100, 96_000].enumerated() {
            scenario.songs[index].sampleRate = rate
            scenario.songs[index].length = 7 * WorldHouse.second
        }
        let observations = WorldHouse.observe(scenario, seconds: 40)
        let end = try #require(observations.last)
        for (index, room) in end.rooms.enumerated() {
            #expect(room.truth.dropouts == 0 && room.truth.silentLoaded == 0)
            #expect(room.truth.silentEmpty < 1_000_000)
            let songs = observations.flatMap { $0.rooms[index].truth.played.map(\.song) }
            #expect(Set(songs) == ["song0", "song1", "song2"])
        }
    }

    @Test func theSameSeedGivesTheSameAndAnotherGivesAnother() {
        let scenario = WorldHouse.scenario(rooms: 3, link: .wifi)
        let first = WorldHouse.observe(scenario, seed: 5, seconds: 20)
        #expect(first == WorldHouse.observe(scenario, seed: 5, seconds: 20))
        #expect(first != WorldHouse.observe(scenario, seed: 6, seconds: 20))
    }

    @Test func aKilledSpeakerComesBackAndTheOthersDoNotNotice() throws {
        let steps = [
            Step(at: 20 * WorldHouse.second, .kill(.speaker("room1"))),
            Step(at: 25 * WorldHouse.second, .restart(.speaker("room1"))),
        ]
        let observations = WorldHouse.observe(WorldHouse.scenario(rooms: 3), seconds: 40, steps: steps)
        let meanwhile = try #require(observations.first { $0.at == 22 * WorldHouse.second })
        #expect(!meanwhile.rooms[0].isRunning)
        #expect(meanwhile.rooms[0].truth.played.isEmpty)
        let end = try #require(observations.last)
        #expect(end.rooms[0].incarnation == 2)
        #expect(end.rooms.map(\.state) == ["playing", "playing", "playing"])
        #expect(end.rooms.dropFirst().allSatisfy { $0.truth.dropouts == 0 && $0.truth.silentLoaded == 0 })
    }

    @Test func aKilledSenderGoesOnAndNobodyHearsIt() throws {
        let steps = [
            Step(at: 20 * WorldHouse.second, .kill(.sender("desk"))),
            Step(at: 30 * WorldHouse.second, .restart(.sender("desk"))),
        ]
        let observations = WorldHouse.observe(WorldHouse.scenario(rooms: 3), seconds: 60, steps: steps)
        let end = try #require(observations.last)
        #expect(end.senders[0].incarnation == 2)
        #expect(end.senders[0].groups[0].isKnown)
        #expect(end.rooms.map(\.state) == ["playing", "playing", "playing"])
        #expect(end.rooms.allSatisfy { $0.truth.isUnbroken })
    }

    @Test func aPlantedFaultShowsInTheTruthAlone() throws {
        let observations = WorldHouse.observe(WorldHouse.scenario(rooms: 2), bugs: [.lateRoom], seconds: 40)
        let end = try #require(observations.last)
        #expect(abs(try #require(end.rooms[0].truth.lateness).last) < 100_000)
        #expect(abs(try #require(end.rooms[1].truth.lateness).last - 5_000_000) < 100_000)
    }

    /// Not part of a test run: `TUTTI_SIMULATION_BENCH=20x3600` says how long twenty rooms take for an hour.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["TUTTI_SIMULATION_BENCH"] != nil))
    func benchmark() throws {
        let text = try #require(ProcessInfo.processInfo.environment["TUTTI_SIMULATION_BENCH"])
        let numbers = text.split(separator: "x").compactMap { Int64($0) }
        let scenario = WorldHouse.scenario(rooms: Int(numbers[0]))
        var world = World(scenario: scenario, seed: 1, bugs: [])
        for step in Script(for: scenario, seed: 1).steps { world.apply(step.action) }
        let clock = ContinuousClock()
        let time = clock.measure { for second in 1...numbers[1] { world.run(until: second * WorldHouse.second) } }
        let observation = world.observe()
        print("\(text): \(time), \(world.eventCount) events")
        for room in observation.rooms.prefix(3) {
            print(room.state, room.truth)
        }
    }
}
