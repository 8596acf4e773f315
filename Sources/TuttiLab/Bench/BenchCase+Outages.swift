extension BenchCase {
    /// Who goes away, and what becomes of the music.
    package static let outages: [BenchCase] = [outage, restart, network, slow]

    /// The sender dies; rooms hold 16 s, and a part of the network is cut off for a while.
    package static let outage = BenchCase(
        "outage", "wired, the sender killed at 12 s; h3 split off from 16 to 20 s; 16 s held", rooms: threeRooms,
        seconds: 40, hasSnapcast: false,
        marks: [BenchMark(.p99(.whole), 20), BenchMark(.gaps, 0), BenchMark(.underruns, 0)]
    ).with {
        $0.events = [
            BenchEvent(12, .killSender), BenchEvent(16, .split(["h3"])), BenchEvent(20, .split([])),
        ]
        $0.speakerFlags = ["--buffer", "16s"]
        $0.lastSecond = 33
    }

    /// A speaker dies and comes back, another stands still for 10 s.
    package static let restart = BenchCase(
        "restart",
        "wired, h2 killed at 8 s and started again at 9 s; h3 asleep from 14 to 24 s, its clock still for 6 s of that",
        rooms: threeRooms,
        seconds: 34, hasSnapcast: false, marks: [BenchMark(.p99(.whole), 50), BenchMark(.back, 2, goal: 1)]
    ).with {
        $0.events = [
            BenchEvent(8, .killSpeaker(room: "h2")), BenchEvent(9, .startSpeaker(room: "h2")),
            BenchEvent(14, .pauseSpeaker(room: "h3")), BenchEvent(24, .continueSpeaker(room: "h3")),
        ]
        // Counted from the start of the speaker, which is up to three seconds before the command.
        $0.rooms[2].clock = "sleep=6s@17.5s"
    }

    /// Everything that a network does to packets, and a minute without one.
    package static let network = BenchCase(
        "network",
        "h1 gets another address at 10 s; h2 cut off from 8 to 68 s; h3 loses, repeats and reorders frames and stands still "
            + "for up to 250 ms; h4 loses packets of more than 1000 bytes",
        rooms: [
            Room("h1", .lan, ppm: 0), Room("h2", .lan, ppm: 80),
            Room("h3", .badWifi.with(.loss(2), .twice(1), .overtaken(2)), ppm: -60),
            Room("h4", .lan.with(.mtu(1000)), ppm: 20),
        ], seconds: 84, hasSnapcast: false, marks: [BenchMark(.gaps, 0), BenchMark(.underruns, 0)]
    ).with {
        $0.events = [
            BenchEvent(8, .link(host: "h2", .cut)), BenchEvent(10, .move(host: "h1", address: "10.77.0.99")),
            BenchEvent(68, .link(host: "h2", .lan)),
        ]
        // So much that the last of the song has not been sent when the cut comes.
        $0.speakerFlags = ["--buffer", "72s"]
    }

    /// A room whose link carries a third of the programme.
    package static let slow = BenchCase(
        "slow", "h2's link carries 350 kbit/s, a third of the song",
        rooms: [
            Room("h1", .lan, ppm: 0), Room("h2", .lan.with(.rate(350)), ppm: 80),
        ], seconds: 24, hasSnapcast: false)

    private static let threeRooms = [Room("h1", .lan, ppm: 0), Room("h2", .lan, ppm: 80), Room("h3", .lan, ppm: -60)]
}
