extension BenchCase {
    /// What loading takes, and what it does to the clock.
    static let loading: [BenchCase] = [
        BenchCase(
            "load1", "five minutes into one room", rooms: Array(rooms(.lan).prefix(1)), work: .load, seconds: 300,
            hasSnapcast: false, marks: [BenchMark(.loaded, 5)]),
        BenchCase(
            "load3", "five minutes into three rooms", rooms: rooms(.lan), work: .load, seconds: 300, hasSnapcast: false),
        BenchCase(
            "load5-port", "five minutes into five rooms, through a sender's port of 95 Mbit/s", rooms: wired(5),
            work: .load, seconds: 300, hasSnapcast: false
        ).with { $0.senderLink = port(kilobits: 95_000) },
        BenchCase(
            "port", "wired, five rooms load five minutes through a sender's port of 95 Mbit/s with a queue of 20 ms",
            rooms: wired(5), seconds: 300, hasSnapcast: false, marks: [p99(20, goal: 5), p99(20, .to10s)]
        ).with {
            $0.senderLink = port(kilobits: 95_000)
            $0.lastSecond = 30
        },
        BenchCase(
            "air", "seven rooms load five minutes: five on wires, two through one access point of 40 Mbit/s",
            rooms: wired(5) + [
                Room("h6", .wifi.with(.rate, 40_000).with(.queue, 100).with(.air, 1), ppm: 20),
                Room("h7", .wifi.with(.rate, 40_000).with(.queue, 100).with(.air, 1), ppm: -35),
            ], seconds: 300, hasSnapcast: false,
            marks: [BenchMark(.wiredP99(.whole), 20, goal: 5), p99(150, goal: 80)]
        ).with { $0.lastSecond = 30 },
        BenchCase(
            "narrow", "wired, three rooms; the sender's port goes from 1000 to 10 Mbit/s two seconds after the command",
            rooms: rooms(.lan), seconds: 300, hasSnapcast: false, marks: [p99(20), BenchMark(.gaps, 0)]
        ).with {
            $0.senderLink = port(kilobits: 1_000_000)
            $0.events = [BenchEvent(2, .link(host: LabSession.sender, port(kilobits: 10_000)))]
            $0.lastSecond = 40
        },
        BenchCase(
            "bloat", "wired, three rooms, one behind a link of 4 Mbit/s with two seconds of queue",
            rooms: rooms(.lan).prefix(2) + [Room("h3", .lan.with(.rate, 4_000).with(.queue, 2_000), ppm: -60)],
            seconds: 300, hasSnapcast: false, marks: [p99(50), BenchMark(.gaps, 0)]
        ).with { $0.lastSecond = 40 },
        BenchCase(
            "fair", "as `port`, the port's queue keeps flows apart (fq_codel)", rooms: wired(5), seconds: 300,
            hasSnapcast: false, marks: [p99(20, goal: 5), p99(20, .to10s)]
        ).with {
            $0.senderLink = port(kilobits: 95_000).with(.fair, 1)
            $0.lastSecond = 30
        },
        BenchCase(
            "upload",
            "wired; from 10 to 40 s somebody's upload keeps 100 to 200 ms of queue in front of the way from h3",
            rooms: rooms(.lan), seconds: 300, hasSnapcast: false, marks: [p99(20), BenchMark(.gaps, 0)]
        ).with {
            $0.events = [
                BenchEvent(10, .link(host: "h3", .lan.with(.upload, 200))), BenchEvent(40, .link(host: "h3", .lan)),
            ]
            $0.lastSecond = 60
        },
        BenchCase(
            "marked", "wired, three rooms; h3 is behind a router that loses what has a class of service",
            rooms: rooms(.lan).prefix(2) + [Room("h3", .lan.with(.marked, 100), ppm: -60)],
            seconds: 60, hasSnapcast: false, marks: [p99(10), BenchMark(.gaps, 0)]
        ).with { $0.lastSecond = 30 },
        BenchCase(
            "links", "five rooms behind links drawn by seed, with cards drawn by seed", rooms: wired(5), seconds: 300,
            hasSnapcast: false, marks: [p99(250), BenchMark(.gaps, 0)]
        ).with {
            $0.isDrawn = true
            $0.lastSecond = 40
        },
    ]

    /// Rooms on wires whose cards differ.
    package static func wired(_ count: Int) -> [Room] {
        let ppm: [Double] = [0, 80, -60, 45, -110, 130, -20]
        return (0..<count).map { Room("h\($0 + 1)", .lan, ppm: ppm[$0 % ppm.count]) }
    }

    /// A host's port, with 20 ms of queue.
    private static func port(kilobits: Double) -> LinkProfile { .direct.with(.rate, kilobits).with(.queue, 20) }
}
