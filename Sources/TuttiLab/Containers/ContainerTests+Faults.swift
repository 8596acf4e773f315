import TuttiSchema

extension ContainerTests {
    /// When what was done to the house was done, ns of CLOCK_MONOTONIC_RAW.
    private struct Log {
        var begun: Int64 = 0
        var joined: Int64 = 0
        var restarted: Int64 = 0
        var continued: Int64 = 0
        var senderStarted: Int64 = 0
        var attached: Int64 = 0
    }

    /// Seconds from the sender's start until it feeds its rooms again.
    private static let attaching = 5.0

    /// A room comes late, one is killed and paused, one is cut off and moves, the sender is killed; kitchen is left
    /// alone.
    func faults(_ attempt: Int) throws -> Findings {
        let song = Self.music(0..<46)
        // What is fed after the sender's death.
        let more = Self.music(46..<54)
        // Another one each time, or it would not have moved.
        let place = try house.place(for: "study", 100 + attempt)
        let log: Log
        do {
            log = try hurt(song: try house.write(song, "song"), more: try house.write(more, "more"), moving: place)
        } catch {
            house.restore("study", at: place)
            throw error
        }
        let whole = song.followed(by: more)
        let cards = try ContainerHouse.rooms.map { room in try house.recording(of: room, from: log.begun) }
        let report = Comparison(source: whole, cards: cards, commandTime: log.begun).report()
        return Findings(verdicts(on: report, log, of: Self.seconds(whole)), tables: [report.table])
    }

    private func hurt(song: String, more: String, moving address: String) throws(LabError) -> Log {
        var log = Log()
        try house.tutti("group", "set", Self.group, "kitchen", "bath")
        log.begun = MonotonicRaw.now()
        let begun = log.begun
        try house.tutti("play", song, "--group", Self.group, "--detach")
        log.joined = Self.sleep(until: 3, after: begun)
        try house.tutti("group", "add", Self.group, "study")
        Self.sleep(until: 7, after: begun)
        try house.order("kill", "bath")
        log.restarted = Self.sleep(until: 9, after: begun)
        try house.order("start", "bath")
        Self.sleep(until: 13, after: begun)
        try house.disconnect("study")
        Self.sleep(until: 16, after: begun)
        try house.order("pause", "bath")
        log.continued = Self.sleep(until: 26, after: begun)
        try house.order("unpause", "bath")
        Self.sleep(until: 33, after: begun)
        try house.connect("study", at: address)
        Self.sleep(until: 35, after: begun)
        try house.order("kill", ContainerHouse.sender)
        log.senderStarted = Self.sleep(until: 38, after: begun)
        try house.order("start", ContainerHouse.sender)
        try house.wait(for: "the sender to be back with its rooms", within: 15) { groups in
            groups.contains { group in
                group.state == .playing && group.rooms.count == 3 && group.rooms.allSatisfy { $0.state == .playing }
            }
        }
        log.attached = MonotonicRaw.now()
        try house.tutti("add", more, "--group", Self.group)
        try house.wait(for: "the room that has moved", within: 15) { groups in
            groups.contains { group in
                group.rooms.contains { $0.name == "study" && $0.address.hasPrefix(address + ":") }
            }
        }
        Self.sleep(until: 54, after: begun)
        try house.wait(for: "the end of the song", within: 20) { $0.isEmpty }
        return log
    }

    private func verdicts(on report: ComparisonReport, _ log: Log, of seconds: Double) -> [Verdict] {
        let rooms = Dictionary(report.rooms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard let kitchen = rooms["kitchen"], let bath = rooms["bath"], let study = rooms["study"] else {
            return [Verdict("recordings", faults: ["not all rooms have one: \(rooms.keys.sorted())"])]
        }
        func event(_ action: BenchEvent.Action, _ time: Int64) -> BenchEvent.Record {
            BenchEvent.Record(text: BenchEvent(0, action).text, rawNanoseconds: time)
        }
        let figures = BenchFigures(
            report,
            events: [
                event(.startSpeaker(room: "bath"), log.restarted), event(.continueSpeaker(room: "bath"), log.continued),
            ])
        let returns = figures.returns ?? []
        let breaks = bath.resumptions.map { (room: bath.name, rawNanoseconds: $0.soundRawNanoseconds) }
        let late = Double((study.firstSoundRawNanoseconds ?? .max) &- log.joined) / 1e9
        let start = Double((study.firstSoundRawNanoseconds ?? 0) &- (kitchen.mediaZeroRawNanoseconds ?? 0)) / 1e9
        let spread = HouseMarks.spread(report, without: breaks)
        let attaching = Double(log.attached - log.senderStarted) / 1e9
        return [
            Verdict(
                "a room that is added joins in sync", figures: "after \(HouseMarks.text(late)) s",
                faults: late <= HouseMarks.joining ? [] : ["too late"]),
            back("a speaker that is killed and restarted is back in sync", returns.first, in: bath.name),
            back(
                "a speaker that is paused for 10 s is back in sync", returns.count > 1 ? returns.last : nil,
                in: bath.name),
            Verdict(
                "a room that is cut off for 20 s and moves keeps playing and is found again",
                faults: HouseMarks.breaks(in: study, of: seconds, from: start)),
            Verdict(
                "a sender that is killed resumes in its rooms, and the music continues",
                figures: "after \(HouseMarks.text(attaching)) s",
                faults: attaching <= Self.attaching ? [] : ["it took too long"]),
            Verdict(
                "the room without a fault is not affected",
                faults: HouseMarks.breaks(in: kitchen, of: seconds)),
            Verdict(
                "all rooms stay in sync throughout", figures: HouseMarks.text(spread),
                faults: HouseMarks.faults(of: spread)),
        ]
    }

    private func back(_ name: String, _ back: BenchFigures.Return?, in room: String) -> Verdict {
        let figures = back.map {
            "after \(HouseMarks.text($0.seconds)) s, \(HouseMarks.text($0.worstMicroseconds)) µs apart at most"
        }
        return Verdict(name, figures: figures ?? "", faults: HouseMarks.faults(of: back, in: room))
    }
}
