extension BenchCase {
    /// One room's card leads, and the others follow it.
    package static let references: [BenchCase] = [reference, referenceLost, referenceMoved]

    /// As `lan`, with the card that runs fast as the reference.
    package static let reference = BenchCase(
        "reference", "wired, h2 (+80 ppm) the reference room", rooms: threeRooms, hasSnapcast: false,
        marks: [BenchMark(.p99(.whole), 10), BenchMark(.gaps, 0), BenchMark(.underruns, 0)]
    ).with { $0.flags.play = ["--reference", "h2"] }

    /// The reference room dies.
    package static let referenceLost = reference.with {
        ($0.name, $0.title) = ("reference-lost", "wired, h2 (+80 ppm) the reference room, killed at 15 s")
        ($0.seconds, $0.events) = (30, [BenchEvent(15, .killSpeaker(room: "h2"))])
    }

    /// Another room becomes the reference.
    package static let referenceMoved = reference.with {
        ($0.name, $0.title) = (
            "reference-moved", "wired, the reference moved from h2 (+80 ppm) to h3 (-60 ppm) at 10 s"
        )
        $0.events = [BenchEvent(10, .command(["reference", "h3"]))]
    }
}
