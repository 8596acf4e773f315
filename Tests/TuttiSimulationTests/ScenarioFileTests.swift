import Foundation
import Testing
import TuttiCards
import TuttiSimulation

/// Scenario files.
@Suite struct ScenarioFileTests {
    private static func scenario(_ text: String) throws -> Scenario { try Scenario(yaml: text, file: "house.yaml") }

    @Test func theExampleIsReadWhole() throws {
        // Where this file really is: packages may have it through a link.
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let path = tests.deletingLastPathComponent().deletingLastPathComponent().path() + "/docs/examples/house.yaml"
        let scenario = try Self.scenario(try String(contentsOfFile: path, encoding: .utf8))
        #expect(scenario.rooms.map(\.name) == ["kitchen", "bath", "study", "hall", "shed"])
        #expect(scenario.duration == 600 * House.second)
        #expect(scenario.rooms[0].link == .wifi && scenario.rooms[0].card.ppm == 42 && scenario.rooms[0].clockPpm == 12)
        #expect(scenario.rooms[1].card.kind == .step1ms && scenario.rooms[1].buffer == 120 * House.second)
        let shed = scenario.rooms[4].link
        #expect(shed.up == Link.Direction(delay: 3_000_000, jitter: 2_000_000, bitsPerSecond: 8_000_000))
        #expect(
            shed.down.stall == LinkTraits.Stall(period: 5 * House.second, shortest: 10_000_000, longest: 80_000_000))
        #expect(shed.down.loss == 0.005)
        #expect(
            scenario.songs[0]
                == Song(
                    name: "overture", length: 250 * House.second, sampleRate: 44_100, codec: .flac,
                    bitsPerSecond: 850_000))
        #expect(scenario.groups.map(\.queue) == [["overture", "aria"]])
        #expect(scenario.steps.count == 10)
        #expect(scenario.steps.first?.description == "60.000s cut speaker kitchen")
    }

    @Test func linksMayShareTheAir() throws {
        let scenario = try Self.scenario(
            "rooms: {kitchen: {link: {rate: 40M, air: loft}}, bath: {link: {up: {delay: 1ms}, down: {rate: 40M, air: loft}}}}"
        )
        #expect(scenario.rooms[0].link.up.air == "loft" && scenario.rooms[0].link.down.air == "loft")
        #expect(scenario.rooms[1].link.up.air == nil && scenario.rooms[1].link.down.air == "loft")
        #expect(throws: SimulationError.self) { try Self.scenario("rooms: {kitchen: {link: {air: loft}}}") }
        let queued = try Self.scenario(
            "rooms: {kitchen: {link: {rate: 40M, queue: 20ms, fair: true}}, bath: {link: {seed: 7}}}")
        #expect(queued.rooms[0].link.up.queue == 20_000_000 && queued.rooms[0].link.up.isFair)
        #expect(queued.rooms[1].link == .drawn(seed: 7))
        for text in ["queue: 20ms", "rate: 40M, fair: 1", "seed: 7, delay: 1ms", "seed: -1"] {
            #expect(throws: SimulationError.self) { try Self.scenario("rooms: {kitchen: {link: {\(text)}}}") }
        }
    }

    @Test func aHouseNeedsNoMoreThanRooms() throws {
        let scenario = try Self.scenario("rooms: {kitchen: , bath: {link: wifi}}")
        #expect(scenario.rooms == [RoomPlan(name: "kitchen"), RoomPlan(name: "bath", link: .wifi)])
        #expect(scenario.senders == [SenderPlan(name: "sender")])
        #expect(scenario.groups.map(\.rooms) == [["kitchen", "bath"]])
        #expect(scenario.groups[0].start == 0 && scenario.groups[0].queue == ["song"])
        #expect(scenario.randomFaults == nil && scenario.randomUsers == nil)
    }

    @Test func whatTheSeedAddsIsRead() throws {
        let scenario = try Self.scenario(
            """
            rooms: {kitchen: }
            random:
              faults: {every: 20s, kinds: [cut, diskfull], lasting: 2s-5s}
              users: {every: 10s, soonest: 100ms}
            """)
        #expect(
            scenario.randomFaults
                == RandomFaults(
                    every: 20 * House.second, kinds: [.cut, .diskFull], shortest: 2 * House.second,
                    longest: 5 * House.second))
        #expect(scenario.randomUsers == RandomUsers(every: 10 * House.second, soonest: 100_000_000))
    }

    @Test(arguments: [
        ("", 1, "the file is empty"), ("duration: 5s", 1, "the rooms are missing"),
        ("rooms: {a: }\nduration: soon", 2, "duration: 'soon' is not a time; use numbers with h, m, s"),
        ("rooms: {a: }\ndurations: 5s", 2, "a house has no key 'durations'; use seed, duration, buffer"),
        ("rooms:\n  a: {link: wire}", 2, "no such link: 'wire'; use lan, wifi, badwifi, asym, lossy"),
        ("rooms:\n  a:\n    card: {kind: good}", 3, "kind: 'good' is not allowed here; use exact, step1ms, late"),
        ("rooms:\n  a b: ", 2, "'a b' is not a name; use letters"),
        ("rooms:\n  a: {link: {up: {delay: 1ms}}}", 2, "a link needs both up and down, or neither"),
        ("rooms:\n  a: {clock: 700}", 2, "ppm: 700 ppm is out of range; use -500 to 500"),
        ("rooms: {a: }\ngroups:\n  g: {rooms: [b]}", 3, "no such room: 'b'; use a"),
        ("rooms: {a: }\ngroups:\n  g: {sender: b}", 3, "no such sender: 'b'; use sender"),
        ("rooms: {a: }\nsongs:\n  s: {codec: flac}", 3, "song s: the length is missing"),
        ("rooms: {a: }\nfaults:\n  - 5s burn\n", 3, "a fault: 'burn' is not an event"),
        ("rooms: {a: }\nfaults:\n  - 5s xrun b\n", 3, "a fault: no such speaker: 'b'; use a"),
        ("rooms: {a: }\nrandom: {faults: {lasting: 5s-2s}}", 2, "lasting: '5s-2s' is not a range"),
        ("rooms: {a: }\nrandom: {faults: {kinds: [fire]}}", 2, "a kind: 'fire' is not allowed here; use kill, freeze"),
        ("rooms: [a, b", 2, "did not find expected"), ("rooms: {a: , a: }", 1, "a is given twice"),
        ("rooms: {}", 1, "rooms must contain at least one room"),
        ("rooms: {a: }\nseed: -1", 2, "seed: '-1' is out of range; use 0 to"),
    ])
    func whatIsWrongIsSaidInOneLine(_ text: String, _ line: Int, _ message: String) throws {
        let error = try #require(throws: SimulationError.self) { try Self.scenario(text) }
        #expect(error.description.hasPrefix("house.yaml:\(line): "), "\(error)")
        #expect(error.description.contains(message), "\(error)")
        #expect(!error.description.contains("\n"))
    }
}
