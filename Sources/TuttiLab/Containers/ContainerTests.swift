import Glibc

/// The integration tests across containers: a house is used, its containers are hurt, and the recordings say what was
/// heard.
package struct ContainerTests: Sendable {
    let house: ContainerHouse
    /// What the house has played already: the project's piece, in all rooms.
    let demonstration: String

    static let sampleRate = 48_000
    /// How often a part is run at most.
    private static let attempts = 3

    /// - Parameter demonstration: the song that all rooms have played once.
    package init(_ house: ContainerHouse, demonstration: String) {
        self.house = house
        self.demonstration = demonstration
    }

    /// Runs all of them; tells of each as it ends.
    ///
    /// - Returns: whether all passed.
    package func run(_ tell: (String) -> Void) -> Bool {
        // What was played before the tests, nobody watched the machine beside: it is played once more if it was not as
        // it should be.
        let parts: [(name: String, isWatched: Bool, run: (_ attempt: Int) throws -> Findings)] = [
            ("discovery", true, { _ in try discovery() }),
            ("together", false, { attempt in try together(again: attempt > 1) }),
            ("faults", true, { attempt in try faults(attempt) }),
            ("groups", true, { _ in try groups() }),
        ]
        var hasPassed = true
        for part in parts {
            // Containers need not have the right to run before other programs: a machine that stands still stops their
            // sound.
            let watch = StallWatch()
            defer { watch.end() }
            var findings = Self.findings(of: part.name) { try part.run(1) }
            for attempt in 2...Self.attempts where !findings.havePassed {
                let wasWatched = part.isWatched || attempt > 2
                guard watch.hasStalled || !wasWatched else { break }
                tell(findings.text)
                let cause =
                    wasWatched
                    ? "the machine stalled for \(HouseMarks.text(watch.milliseconds)) ms"
                    : "it is not known whether the machine stalled"
                tell("\(part.name): \(cause); trying again")
                findings = Self.findings(of: part.name) { try part.run(attempt) }
            }
            tell(findings.text)
            hasPassed = hasPassed && findings.havePassed
        }
        return hasPassed
    }

    /// What a part found; that it could not run, if that is so.
    private static func findings(of name: String, _ run: () throws -> Findings) -> Findings {
        do { return try run() } catch { return Findings([Verdict(name, faults: ["\(error)"])]) }
    }

    private func discovery() throws -> Findings {
        let text = try house.tutti("rooms")
        let found = text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        let missing = ContainerHouse.rooms.filter { !found.contains($0) }
        return Findings([
            Verdict(
                "rooms are found by mDNS between containers", figures: found.sorted().joined(separator: ", "),
                faults: missing.map { "\($0) was not found" })
        ])
    }

    /// - Parameter again: play it once more, instead of judging what was played before the tests.
    private func together(again: Bool) throws -> Findings {
        let song = try WaveFile(path: demonstration)
        let begun = again ? MonotonicRaw.now() : 0
        if again {
            try house.tutti("play", demonstration, "--group", Self.group)
        }
        let cards = try ContainerHouse.rooms.map { room in try house.recording(of: room, from: begun) }
        let report = Comparison(source: song, cards: cards).report()
        let spread = HouseMarks.spread(report)
        let content = report.rooms.compactMap(\.contentDecibels).min() ?? 0
        var faults = report.rooms.flatMap { HouseMarks.breaks(in: $0, of: Self.seconds(song)) }
        faults += report.rooms.filter { !$0.clicks.isEmpty }.map { "\($0.name) has clicks at \($0.clicks)" }
        if content < Self.fidelity { faults.append("content is \(HouseMarks.text(content)) dB") }
        let verdict = Verdict(
            "tutti play --group plays completely and in sync in all rooms",
            figures: "\(HouseMarks.text(spread)), content \(HouseMarks.text(content)) dB",
            faults: faults + HouseMarks.faults(of: spread))
        return Findings([verdict], tables: [report.table])
    }

    /// The group of all rooms.
    static let group = "house"
    /// The least distance of everything that is not the song, dB; a card of 32 bits gets more than 95.
    private static let fidelity = 80.0

    /// A part of the laboratory's music, of which every moment can be told from every other, in seconds.
    static func music(_ part: Range<Int>) -> WaveFile {
        let whole = Piece(seconds: Double(part.upperBound), sampleRate: sampleRate).render()
        let frames = part.lowerBound * sampleRate..<whole.frameCount
        return WaveFile(sampleRate: sampleRate, channels: whole.channels.map { Array($0[frames]) })
    }

    static func seconds(_ song: WaveFile) -> Double { Double(song.frameCount) / Double(song.sampleRate) }

    /// Sleeps until so many seconds after `start` (ns of CLOCK_MONOTONIC_RAW), and gives the time then.
    @discardableResult
    static func sleep(until seconds: Double, after start: Int64) -> Int64 {
        let left = start + Int64(seconds * 1e9) - MonotonicRaw.now()
        if left > 0 { usleep(UInt32(clamping: left / 1000)) }
        return MonotonicRaw.now()
    }
}
