import TuttiSchema

extension ContainerTests {
    /// Two groups play at once, and a room moves from one to the other.
    func groups() throws -> Findings {
        let up = Self.music(0..<13)
        let down = Self.music(32..<45)
        try house.tutti("group", "set", "up", "kitchen", "bath")
        try house.tutti("group", "set", "down", "study")
        let begun = MonotonicRaw.now()
        try house.tutti("play", try house.write(up, "up"), "--group", "up", "--detach")
        try house.tutti("play", try house.write(down, "down"), "--group", "down", "--detach")
        Self.sleep(until: 3, after: begun)
        let playing = house.groups().filter { $0.state == .playing }.compactMap(\.group).sorted()
        let moved = Self.sleep(until: 6, after: begun)
        try house.tutti("group", "add", "down", "bath")
        Self.sleep(until: 13, after: begun)
        try house.wait(for: "the end of both songs", within: 15) { $0.isEmpty }
        // What bath still has of the song above fades out within this.
        let settled = moved + 300_000_000
        let above = Comparison(
            source: up,
            cards: [
                try house.recording(of: "kitchen", from: begun),
                try house.recording(of: "bath", from: begun, to: moved),
            ]
        ).report()
        let below = Comparison(
            source: down,
            cards: [
                try house.recording(of: "study", from: begun), try house.recording(of: "bath", from: settled),
            ]
        ).report()
        let spreads = (HouseMarks.spread(above), HouseMarks.spread(below))
        let late = Double((below.rooms[1].firstSoundRawNanoseconds ?? .max) &- moved) / 1e9
        let seconds = Self.seconds(up)
        return Findings(
            [
                Verdict(
                    "two groups play at once", figures: playing.joined(separator: ", "),
                    faults: (playing == ["down", "up"] ? [] : ["\(playing) play"])
                        + HouseMarks.breaks(in: above.rooms[0], of: seconds)
                        + HouseMarks.breaks(in: below.rooms[0], of: seconds)),
                Verdict(
                    "a room moves to the other group, in sync with each",
                    figures:
                        "\(HouseMarks.text(spreads.0)); after \(HouseMarks.text(late)) s \(HouseMarks.text(spreads.1))",
                    faults: HouseMarks.faults(of: spreads.0) + HouseMarks.faults(of: spreads.1)
                        + (late <= HouseMarks.joining ? [] : ["too late"])),
            ], tables: [above.table, below.table])
    }
}
