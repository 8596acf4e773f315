extension BenchResult {
    private static let columns = [
        ("case", 14), ("system", 16), ("seed", 5), ("median", 9), ("p99", 9), ("max", 10), ("100 ms", 9),
        ("0-10 s", 9), ("10-30", 9), ("30 s-", 9), ("60 s-", 9), ("own", 6), ("song %", 8), ("gaps ms", 9),
        ("xruns", 6), ("to sound", 10), ("loaded", 9), ("player %", 9), ("sender %", 9), ("player MB", 10),
        ("sender MB", 10), ("still ms", 9),
    ]

    /// A table of results: offsets between pairs of rooms in µs (median, p99, max, then p99 of parts of the run), what
    /// the speakers thought divided by the p99, the worst room's share of the song and gaps, xruns that were not
    /// forced, ms from command to sound and until loaded, processor (percent of a core) and memory of the worst player
    /// and of the sender, and for how long the machine stood still at most.
    package static func table(_ results: [BenchResult]) -> String {
        var lines = [columns.map { pad($0.0, $0.1) }.joined()]
        for result in results {
            lines.append(zip(result.cells, columns).map { pad($0, $1.1) }.joined())
            lines += result.remarks
        }
        return lines.joined(separator: "\n")
    }

    private var cells: [String] {
        guard failure == nil else { return [name, system, "\(seed)"] }
        let spread = figures?[.whole]
        let players = loads.dropFirst()
        let parts = [BenchPhase.first100ms, .to10s, .to30s, .after30s, .after60s]
        return [
            name, system, "\(seed)", Self.number(spread?.median), Self.number(spread?.p99), Self.number(spread?.max),
        ]
            + parts.map { Self.number(figures?[$0]?.p99) }
            + [
                Self.number(selfReport?.ratio, 2), Self.number(figures?.completeness, 2),
                Self.number(figures?.gapMilliseconds, 0), figures.map { "\($0.underruns)" } ?? "–",
                Self.number(commandToSoundMilliseconds, 0), Self.number(loadedMilliseconds, 0),
                Self.number(players.map(\.processorPercent).max(), 2), Self.number(loads.first?.processorPercent, 2),
                Self.number(players.map(\.residentMegabytes).max()), Self.number(loads.first?.residentMegabytes),
                Self.number(stallMilliseconds, 0),
            ]
    }

    /// Lines below the result's: why there is none, how it took what was done to it, that it was repeated.
    private var remarks: [String] {
        var remarks: [String] = []
        if let failure { remarks.append(failure) }
        if let wired = figures?.wired {
            let parts = BenchPhase.allCases.compactMap { phase in
                wired[phase.rawValue].map { "\(phase.rawValue) \($0.p99.text(1))" }
            }
            remarks.append("p99 of the rooms on wires: " + parts.joined(separator: ", "))
        }
        for effect in figures?.effects ?? [] {
            remarks.append(
                "\(effect.seconds.text(1)) s \(effect.text): moved by \(effect.shiftMicroseconds.text(1)) µs, at worst "
                    + "\(effect.worstMicroseconds.text(1)) µs")
        }
        for recovery in figures?.recoveries ?? [] {
            remarks.append(
                "\(recovery.seconds.text(1)) s \(recovery.room) stopped for \(recovery.breakMilliseconds.text(1)) ms, silent "
                    + "\(recovery.silenceMilliseconds.text(1)) ms longer, \(recovery.firstMicroseconds.text(1)) µs off at "
                    + "first, inside 20 µs after \(recovery.insideAfterSeconds.text(2)) s")
        }
        for back in figures?.returns ?? [] {
            remarks.append(
                "\(back.room) sounded \(back.seconds.text(2)) s after it returned or was added, in the next second "
                    + "\(back.worstMicroseconds.text(1)) µs off at worst")
        }
        for feeding in feedings ?? [] {
            let rooms = feeding.sorted { $0.key < $1.key }.map { "\($0.key) after \($0.value.text(2)) s" }
            remarks.append("after its restart, the service fed \(rooms.joined(separator: ", "))")
        }
        if let steering { remarks += Self.lines(steering) }
        if let exitCode, exitCode != 0 { remarks.append("the sender ended with \(exitCode)") }
        if attempts > 1 { remarks.append("run \(attempts) times because the machine stalled") }
        return remarks.map { "      " + $0 }
    }

    private static func lines(_ steering: SteeringFigures) -> [String] {
        SteeringKind.allCases.flatMap { kind in
            SteeringStep.Way.allCases.compactMap { way -> String? in
                let heard = steering.heard(kind, way)
                guard let worst = heard.last else { return nil }
                let apart = steering.apart(kind).map { ", rooms apart by \($0.p99.text(1)) µs (p99)" } ?? ""
                return "\(kind.rawValue) by \(way.rawValue): \(heard[heard.count / 2].text(1)) ms to the ear, at worst "
                    + "\(worst.text(1)) ms of \(heard.count)\(apart)"
            }
        } + ["clicks at \(steering.effects.count) commands: \(steering.clicks)"]
    }

    private static func number(_ value: Double?, _ digits: Int = 1) -> String { value?.text(digits) ?? "–" }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
