extension BenchCase {
    /// Three rooms whose cards differ by 140 ppm.
    private static func rooms(_ profile: LinkProfile, card: LabCard.Kind = .exact, clocks: [String?] = [nil, nil, nil])
        -> [Room]
    {
        zip(["h1", "h2", "h3"], zip([0.0, 80, -60], clocks)).map { name, rest in
            Room(name, profile, ppm: rest.0, card: card, clock: rest.1)
        }
    }

    /// Every case, in the order of the table.
    package static let all: [BenchCase] = [
        BenchCase("lan", "wired, cards of 0, +80 and −60 ppm", rooms: rooms(.lan)),
        BenchCase("wifi", "Wi-Fi, the same cards", rooms: rooms(.wifi)),
        BenchCase("usb", "wired, pointers in 1 ms steps", rooms: rooms(.lan, card: .millisecondSteps)),
        BenchCase("badwifi", "bad Wi-Fi, stalls of 40 – 250 ms", rooms: rooms(.badWifi)),
        BenchCase(
            "clocks", "wired, hosts' clocks 20 – 35 ppm apart",
            rooms: rooms(.lan, clocks: ["ppm=20,offset=3.5s", "ppm=-15,offset=-100s", nil]), hasSnapcast: false),
        BenchCase(
            "load1", "five minutes into one room", rooms: Array(rooms(.lan).prefix(1)), work: .load, seconds: 300,
            hasSnapcast: false),
        BenchCase(
            "load3", "five minutes into three rooms", rooms: rooms(.lan), work: .load, seconds: 300, hasSnapcast: false),
    ]

    /// The case of that name, nil when there is none.
    package static func named(_ name: String) -> BenchCase? {
        all.first { $0.name == name }
    }
}
