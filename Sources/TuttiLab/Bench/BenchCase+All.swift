extension BenchCase {
    /// Every case, in the order of the table.
    package static let all: [BenchCase] =
        steady + references + lives + met + faults + outages + loading + scale + steering

    /// The case of that name, nil when there is none.
    package static func named(_ name: String) -> BenchCase? {
        all.first { $0.name == name }
    }

    /// Three rooms whose cards differ by 140 ppm.
    static func rooms(
        _ profile: LinkProfile, cards: [LabCard.Kind] = [.exact, .exact, .exact], clocks: [String?] = [nil, nil, nil],
        ppm: [Double] = [0, 80, -60]
    ) -> [Room] {
        ["h1", "h2", "h3"].indices.map { index in
            Room("h\(index + 1)", profile, ppm: ppm[index], card: cards[index], clock: clocks[index])
        }
    }

    static func p99(_ limit: Double, goal: Double? = nil, _ phase: BenchPhase = .whole) -> BenchMark {
        BenchMark(.p99(phase), limit, goal: goal)
    }

    /// Hosts whose clocks differ by 35 ppm, and by minutes.
    private static let clocks: [String?] = ["ppm=20,offset=3.5s", "ppm=-15,offset=-100s", nil]

    /// Cables, cards and clocks.
    private static let steady: [BenchCase] = [
        BenchCase(
            "lan", "wired, cards of 0, +80 and −60 ppm", rooms: rooms(.lan),
            marks: [p99(10, goal: 3), p99(10, .first100ms)]),
        BenchCase(
            "usb", "wired, one room's pointer in 1 ms steps",
            rooms: rooms(.lan, cards: [.exact, .millisecondSteps, .exact]),
            marks: [p99(30, goal: 10), p99(30, .first100ms)]),
        BenchCase(
            "usb3", "wired, all pointers in 1 ms steps",
            rooms: rooms(.lan, cards: [.millisecondSteps, .millisecondSteps, .millisecondSteps])),
        BenchCase(
            "population", "wired, cards drawn from the population",
            rooms: [Room("h1", .lan, cardSeed: 11), Room("h2", .lan, cardSeed: 12), Room("h3", .lan, cardSeed: 13)],
            hasSnapcast: false, marks: [p99(30)]
        ),
        BenchCase(
            "clocks", "wired, hosts' clocks +20 and −15 ppm", rooms: rooms(.lan, clocks: clocks), hasSnapcast: false,
            marks: [p99(12, goal: 3), p99(12, .first100ms)]),
        BenchCase(
            "drift", "wired, hosts' clocks ±100 ppm and drifting by 1 ppm a minute, cards ±200 ppm",
            rooms: rooms(.lan, clocks: ["ppm=100,drift=1", "ppm=-100,drift=-1", nil], ppm: [200, -200, 0]),
            hasSnapcast: false, marks: [p99(20), p99(20, .first100ms)]),
        BenchCase(
            "resampled", "wired, a song of 44.1 kHz on cards of 48 kHz", rooms: rooms(.lan), hasSnapcast: false,
            marks: [p99(10, goal: 3), p99(10, .first100ms)]
        ).with {
            $0.rates.song = 44100
            $0.rates.cards = 48000
        },
        BenchCase(
            "busy", "wired, a spinning process for each of two processors", rooms: rooms(.lan),
            marks: [p99(20), BenchMark(.underruns, 0)]
        ).with { $0.spinners = 2 },
    ]

    /// Radio, on the first meeting and later, and the way that differs from the way back.
    private static let met: [BenchCase] = [
        BenchCase(
            "wifi", "Wi-Fi, the rooms' first meeting", rooms: rooms(.wifi),
            marks: [p99(250, .to10s), p99(120, .to30s), p99(60, goal: 20, .after30s)]),
        BenchCase(
            "wifi-known", "Wi-Fi, rooms that played together for a minute before", rooms: rooms(.wifi),
            hasSnapcast: false, marks: [p99(50, goal: 20)]
        ).with { $0.acquaintance = 60 },
        BenchCase(
            "badwifi", "bad Wi-Fi, stalls of 40 – 250 ms, the first meeting", rooms: rooms(.badWifi), seconds: 120,
            marks: [p99(200, .after60s)]),
        BenchCase(
            "badwifi-known", "bad Wi-Fi, rooms that played together for a minute before", rooms: rooms(.badWifi),
            hasSnapcast: false, marks: [p99(150)]
        ).with { $0.acquaintance = 60 },
        BenchCase(
            "lan-idle", "wired, rooms that a service has had for 30 s", rooms: rooms(.lan), hasSnapcast: false,
            marks: [p99(10, goal: 3), p99(10, .first100ms)]
        ).with { $0.servedAfter = 30 },
        BenchCase(
            "wifi-idle", "Wi-Fi, rooms that a service has had for 30 s", rooms: rooms(.wifi), hasSnapcast: false,
            marks: [p99(100, goal: 30, .to10s), p99(40, goal: 15)]
        ).with { $0.servedAfter = 30 },
        BenchCase(
            "badwifi-idle", "bad Wi-Fi, rooms that a service has had for 30 s", rooms: rooms(.badWifi),
            hasSnapcast: false, marks: [p99(250, goal: 80, .to10s), p99(150, goal: 20)]
        ).with { $0.servedAfter = 30 },
        BenchCase(
            "asym", "wired, one room with 0.2 ms from it and 2 ms to it; 900 µs, which cannot be seen, are taken off",
            rooms: Array(rooms(.lan).prefix(2)) + [Room("h3", .asymmetric, ppm: -60)], marks: [p99(10)]),
    ]

    /// What goes wrong, and who comes late.
    private static let faults: [BenchCase] = [
        BenchCase(
            "late", "wired, a room whose speaker starts 10 s after the command", rooms: rooms(.lan), hasSnapcast: false,
            marks: [p99(10), p99(10, .first100ms)]
        ).with {
            $0.rooms[2].isThere = false
            $0.events = [BenchEvent(10, .startSpeaker(room: "h3"))]
        },
        BenchCase(
            "rejoin", "wired, a speaker killed at 15 s and started again a second later", rooms: rooms(.lan),
            hasSnapcast: false, marks: [p99(10)]
        ).with {
            $0.events = [BenchEvent(15, .killSpeaker(room: "h2")), BenchEvent(16, .startSpeaker(room: "h2"))]
        },
        BenchCase(
            "xrun", "wired, six forced xruns", rooms: rooms(.lan), hasSnapcast: false,
            marks: [BenchMark(.recovery, 0.5), BenchMark(.silence, 20)]
        ).with {
            $0.events = [10, 18, 26, 34, 42, 50].enumerated().map { index, seconds in
                BenchEvent(seconds, .underrun(room: index % 2 == 0 ? "h2" : "h3"))
            }
        },
        BenchCase(
            "holdover", "wired, hosts' clocks +20 and −15 ppm, the sender's network cut from 20 to 80 s",
            rooms: rooms(.lan, clocks: clocks), seconds: 90, hasSnapcast: false, marks: [BenchMark(.shift, 20)]
        ).with {
            $0.events = [
                BenchEvent(20, .link(host: LabSession.sender, .cut)),
                BenchEvent(80, .link(host: LabSession.sender, .direct)),
            ]
        },
        BenchCase(
            "clockstep", "wired, CLOCK_REALTIME stepped by 30 ms at 10 s and back at 25 s", rooms: rooms(.lan),
            seconds: 40, hasSnapcast: false,
            marks: [p99(10), BenchMark(.shift, 5), BenchMark(.gaps, 0), BenchMark(.underruns, 0)]
        ).with {
            $0.events = [BenchEvent(10, .stepClock(milliseconds: 30)), BenchEvent(25, .stepClock(milliseconds: -30))]
            $0.isOptIn = true
        },
        BenchCase(
            "clockstill", "as clockstep, but by nothing: what the same looks find where nothing happens",
            rooms: rooms(.lan), seconds: 40, hasSnapcast: false, marks: [p99(10)]
        ).with {
            $0.events = [BenchEvent(10, .stepClock(milliseconds: 0)), BenchEvent(25, .stepClock(milliseconds: 0))]
            $0.isOptIn = true
        },
    ]

    /// Commands from a second program, and to the socket, with five minutes in every room.
    private static let steering: [BenchCase] = [
        BenchCase(
            "commands", "wired, commands while five minutes are loaded", rooms: rooms(.lan), work: .steer,
            seconds: 2 * SteeringStep.firstPiece, hasSnapcast: false,
            marks: commandMarks(near: 100, far: 350, edit: 200, together: [BenchMark(.apart, 20)])),
        BenchCase(
            "commands-wifi", "Wi-Fi, commands while five minutes are loaded", rooms: rooms(.wifi), work: .steer,
            seconds: 2 * SteeringStep.firstPiece, hasSnapcast: false,
            marks: commandMarks(near: 250, far: 350, edit: 250)),
        BenchCase(
            "commands-served", "wired, commands to `tutti serve`, which writes down what they did", rooms: rooms(.lan),
            work: .steer, seconds: 2 * SteeringStep.firstPiece, hasSnapcast: false,
            marks: commandMarks(near: 100, far: 350, edit: 200, together: [BenchMark(.apart, 20)])
        ).with { $0.servedAfter = 0 },
    ].map { bench in bench.with { $0.pieces = 2 } }

    private static func commandMarks(
        near: Double, far: Double, edit: Double, together: [BenchMark] = []
    ) -> [BenchMark] {
        SteeringKind.allCases.map { kind in
            BenchMark(.command(kind), kind == .edit ? edit : kind.loads ? far : near)
        } + [BenchMark(.commandClicks, 0)] + together
    }
}
