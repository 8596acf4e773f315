import Testing
import TuttiSimulation

/// Scripts as text, there and back.
@Suite struct ScriptTextTests {
    private let scenario = House.small

    @Test(arguments: [
        "0.000s user den house play", "12.500s kill speaker kitchen", "12.500s restart sender den",
        "13.000s freeze speaker bath", "13.000000001s thaw speaker bath", "14.000s suspend speaker bath",
        "15.000s wake speaker bath", "16.000s cut speaker kitchen", "17.000s mend speaker kitchen",
        "18.000s partition speaker kitchen sender den", "19.000s heal", "20.000s slow speaker kitchen 500k",
        "20.000s lose speaker kitchen 0.02", "20.000s corrupt speaker kitchen 0.005",
        "20.000s duplicate speaker kitchen 1.0", "20.000s reorder speaker kitchen 0.1 0.0005s",
        "20.000s stall speaker kitchen 0.250s", "20.000s blackhole speaker kitchen 1400",
        "21.000s readdress speaker kitchen", "22.000s step speaker kitchen -3.500s",
        "23.000s drift speaker kitchen -12.25", "24.000s xrun kitchen", "25.000s unplug kitchen",
        "26.000s plug kitchen",
        "27.000s diskfull sender den", "28.000s diskfree sender den", "30.000s user den house pause",
        "30.000s user den house seek 90.000s", "30.000s user den house move 3 0", "30.000s user den house repeat one",
        "30.000s user den house rate 1.25", "30.000s user den house volume kitchen 40",
        "30.000s user den house mute bath off", "30.000s user den house add-room bath",
        "30.000s user den house crossfade 5.000s", "30.000s user den house add song", "30.000s user den house jump 2",
    ])
    func everyLineComesBackAsItWas(_ line: String) throws {
        let script = try Script(line, file: "a", scenario: scenario)
        #expect(script.steps.map(\.description) == [line])
    }

    @Test func aScriptOfTheSeedComesBackAsItWas() throws {
        for seed in UInt64(1)...20 {
            var script = Script(for: House.troubled, seed: seed)
            script.duration = 60_000_000_000
            script.rooms = ["kitchen", "bath", "study"]
            #expect(try Script(script.description, file: "a", scenario: House.troubled) == script)
        }
    }

    @Test func remarksAndEmptyLinesAreNothing() throws {
        let script = try Script("# why\n\nseed 7\n1m30s  xrun kitchen # now\n", file: "a", scenario: scenario)
        #expect(script.seed == 7)
        #expect(script.steps == [Step(at: 90_000_000_000, .xrun(room: "kitchen"))])
    }

    @Test(arguments: [
        ("1s xrun kitchen\n1s burn kitchen", 2, "'burn' is not an event; use kill,"),
        ("xrun kitchen", 1, "'xrun' is not a time; use numbers with h, m, s, ms, us or ns"),
        ("1s kill kitchen", 1, "'kitchen' is not allowed here; use speaker NAME or sender NAME"),
        ("\n\n1s kill speaker attic", 3, "no such speaker: 'attic'; use kitchen, bath"),
        ("2s heal\n1s heal", 2, "sort the steps by time"),
        ("1s lose speaker bath 3", 1, "'3' is not a share; use 0 to 1"),
        ("1s user den house volume bath 101", 1, "'101' is not a volume; use 0 to 100"),
        ("1s user den attic pause", 1, "no such group of sender den: 'attic'; use house"),
        ("1s user den house add aria", 1, "no such song: 'aria'; use song"),
        ("1s user den house dance", 1, "'dance' is not a command; use play, pause"),
        ("1s heal now", 1, "'now' is one word too many"), ("rooms attic", 1, "no such room: 'attic'"),
        ("rooms bath\n1s xrun kitchen", 2, "no such speaker: 'kitchen'; use bath"),
        ("1s kill", 1, "speaker or sender is missing"), ("-1s heal", 1, "is before the start"),
        ("1s step speaker bath 9999999999999999999s", 1, "is not a time"),
        ("1s drift speaker bath nan", 1, "is not a number"),
    ])
    func whatIsWrongIsSaidWithItsLine(_ text: String, _ line: Int, _ message: String) throws {
        let error = try #require(throws: SimulationError.self) { try Script(text, file: "a", scenario: scenario) }
        #expect(error.description.hasPrefix("a:\(line): "))
        #expect(error.description.contains(message), "\(error)")
    }
}
