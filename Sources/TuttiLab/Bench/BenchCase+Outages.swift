extension BenchCase {
    /// Who goes away, and what becomes of the music.
    package static let outages: [BenchCase] = [outage, takeover, restart, network, slow, trial]

    /// The sender dies; rooms hold 10 s, and a part of the network is cut off for a while.
    package static let outage = BenchCase(
        "outage", "wired, the sender killed at 7 s; h3 split off from 9 to 13 s; 10 s held", rooms: threeRooms,
        seconds: 30, hasSnapcast: false,
        marks: [BenchMark(.p99(.whole), 20), BenchMark(.gaps, 0), BenchMark(.underruns, 0)]
    ).with {
        $0.events = [
            BenchEvent(7, .killSender), BenchEvent(9, .split(["h3"])), BenchEvent(13, .split([])),
        ]
        $0.flags.speakers = ["--buffer", "10s"]
        $0.lastSecond = 21
    }

    /// A room is added to those that play, and one taken from its own group; the service dies and is started again
    /// while a room is away; rooms are split off in turn, so that the one that leads the clock is among them; and it
    /// dies again and goes on elsewhere.
    package static let takeover = BenchCase(
        "takeover",
        "wired, `tutti serve`: h3 added at 4 s, h4 from another group at 6 s; killed at 10 s and started at 11.5 s, h4 cut off "
            + "from 9.5 to 14 s; h1, h2 and h3 split off in turn, 2 s each from 17 s on; killed at 27 s, and started on another "
            + "host at 28 s",
        rooms: threeRooms + [Room("h4", .lan, ppm: 40)], seconds: 60, hasSnapcast: false,
        marks: [
            BenchMark(.p99(.whole), 20), BenchMark(.back, 1), BenchMark(.feeding, 2), BenchMark(.gaps, 0),
            BenchMark(.underruns, 0),
        ]
    ).with {
        $0.events = [
            BenchEvent(4, .addRoom("h3")), BenchEvent(6, .addRoom("h4")), BenchEvent(9.5, .link(host: "h4", .cut)),
            BenchEvent(10, .killSender), BenchEvent(11.5, .startService(host: LabSession.sender)),
            BenchEvent(14, .link(host: "h4", .lan)), BenchEvent(17, .split(["h1"])), BenchEvent(19, .split([])),
            BenchEvent(20, .split(["h2"])), BenchEvent(22, .split([])), BenchEvent(23, .split(["h3"])),
            BenchEvent(25, .split([])), BenchEvent(27, .killSender),
            BenchEvent(28, .startService(host: LabSession.spare)),
        ]
        for (index, buffer) in ["8s", "20s", "12s", "30s"].enumerated() {
            $0.rooms[index].flags = ["--buffer", buffer]
        }
        ($0.rooms[2].place, $0.rooms[3].place) = (.idle, .elsewhere)
        $0.servedAfter = 0
        $0.lastSecond = 34
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
            Room("h3", .badWifi.with(.loss, 2).with(.twice, 1).with(.overtaken, 2), ppm: -60),
            Room("h4", .lan.with(.mtu, 1000), ppm: 20),
        ], seconds: 84, hasSnapcast: false, marks: [BenchMark(.gaps, 0), BenchMark(.underruns, 0)]
    ).with {
        $0.events = [
            BenchEvent(8, .link(host: "h2", .cut)), BenchEvent(10, .move(host: "h1", address: "10.77.0.99")),
            BenchEvent(68, .link(host: "h2", .lan)),
        ]
        // So much that the last of the song has not been sent when the cut comes.
        $0.flags.speakers = ["--buffer", "72s"]
    }

    /// A room whose link carries a third of the programme, and one whose link soon carries next to nothing.
    package static let slow = BenchCase(
        "slow", "h2's link carries 350 kbit/s, a third of the song; h3's 60 kbit/s from 4 s on, and it holds 8 s",
        rooms: [
            Room("h1", .lan, ppm: 0), Room("h2", .lan.with(.rate, 350), ppm: 80), Room("h3", .lan, ppm: -60),
        ], seconds: 30, hasSnapcast: false
    ).with {
        $0.events = [BenchEvent(4, .link(host: "h3", .lan.with(.rate, 60)))]
        $0.rooms[2].flags = ["--buffer", "8s"]
        // A room that stalls has not come to the end.
        $0.servedAfter = 0
        $0.lastSecond = 30
    }

    /// A link that gets well again: the whole programme is tried, and stays.
    package static let trial = BenchCase(
        "trial", "h2's link carries 350 kbit/s, a third of the song, and all of it from 20 s on",
        rooms: [Room("h1", .lan, ppm: 0), Room("h2", .lan.with(.rate, 350), ppm: 80)], seconds: 300, hasSnapcast: false
    ).with {
        $0.events = [BenchEvent(20, .link(host: "h2", .lan))]
        $0.servedAfter = 0
        $0.lastSecond = 150
        $0.isOptIn = true
    }

    static let threeRooms = [Room("h1", .lan, ppm: 0), Room("h2", .lan, ppm: 80), Room("h3", .lan, ppm: -60)]
}
