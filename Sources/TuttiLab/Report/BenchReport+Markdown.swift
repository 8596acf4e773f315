extension BenchReport {
    /// The tables, and the pictures by their names.
    package var markdown: String {
        [offsets, seeds, effects, recoveries, commands, costs, scale, pictures].filter { !$0.isEmpty }.joined(
            separator: "\n\n")
    }

    static func table(_ head: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        return ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// A figure's middle over the seeds, with the worst seed's in brackets when there are several.
    private static func cell(_ summary: CaseSummary?, _ figure: (BenchResult) -> Double?) -> String {
        guard let summary, let values = summary.middleAndWorst(figure) else { return "–" }
        return summary.results.count > 1
            ? "\(values.middle.shortText) (\(values.worst.shortText))" : values.middle.shortText
    }

    private static func middle(_ summary: CaseSummary?, _ figure: (BenchResult) -> Double?) -> String {
        summary?.middleAndWorst(figure)?.middle.shortText ?? "–"
    }

    private var played: [(bench: BenchCase, tutti: CaseSummary?, snapcast: CaseSummary?)] {
        cases.filter { $0.bench.work == .play }
    }

    private var offsets: String {
        let phases = [BenchPhase.first100ms, .to10s, .to30s, .after30s, .after60s]
        let rows = played.map { bench, tutti, snapcast -> [String] in
            let first = [
                "`\(bench.name)`", bench.marks.map(\.text).joined(separator: "; "), tutti?.verdict?.rawValue ?? "–",
                "**\(Self.cell(tutti) { $0.figures?[.whole]?.p99 })**",
            ]
            let parts = phases.map { phase in Self.middle(tutti) { $0.figures?[phase]?.p99 } }
            return first + parts + [
                Self.middle(tutti) { $0.figures?[.whole]?.median }, Self.middle(tutti) { $0.figures?[.whole]?.max },
                Self.middle(tutti) { $0.selfReport?.ratio }, Self.cell(snapcast) { $0.figures?[.whole]?.p99 },
                Self.middle(snapcast) { $0.figures?[.after30s]?.p99 }, "\(tutti?.results.count ?? 0)",
                tutti?.middleAndWorst { $0.stallMilliseconds }?.worst.text(0) ?? "–",
            ]
        }
        let head =
            ["case", "mark", "met", "p99 µs (worst seed)"] + phases.map(\.rawValue) + [
                "median", "max", "own ÷ lab", "Snapcast p99", "Snapcast after 30 s", "seeds", "still ms",
            ]
        return Self.table(head, rows)
    }

    private var seeds: String {
        let rows = played.flatMap { _, tutti, snapcast in [tutti, snapcast].compactMap { $0 } }.map {
            summary -> [String] in
            let values = summary.results.map { result in
                "\(result.seed): \(result.figures?[.whole]?.p99.shortText ?? "–")"
                    + (result.attempts > 1 ? " (run \(result.attempts) times)" : "")
            }
            return ["`\(summary.bench.name)`", summary.system, (values + summary.failures).joined(separator: ", ")]
        }
        return Self.table(["case", "system", "p99 µs of each seed"], rows)
    }

    private var effects: String {
        let rows = played.flatMap { bench, tutti, _ in
            bench.events.enumerated().compactMap { index, event -> [String]? in
                func effect(_ result: BenchResult) -> BenchFigures.Effect? {
                    result.figures.flatMap { $0.effects.indices.contains(index) ? $0.effects[index] : nil }
                }
                guard tutti?.middleAndWorst({ effect($0)?.seconds }) != nil else { return nil }
                return [
                    "`\(bench.name)`", event.text, Self.middle(tutti) { effect($0)?.seconds },
                    Self.cell(tutti) { effect($0)?.shiftMicroseconds },
                    Self.cell(tutti) { effect($0)?.worstMicroseconds },
                ]
            }
        }
        return Self.table(
            ["case", "what was done", "s after the first sound", "offsets moved by µs", "largest until the next, µs"],
            rows)
    }

    private var recoveries: String {
        let rows = played.compactMap { bench, tutti, _ -> [String]? in
            let all = tutti?.results.flatMap { $0.figures?.recoveries ?? [] } ?? []
            guard !all.isEmpty else { return nil }
            func worst(_ figure: (BenchFigures.Recovery) -> Double) -> String {
                let values = all.map(figure).sorted()
                return "\(values[values.count / 2].shortText) (\((values.last ?? 0).shortText))"
            }
            return [
                "`\(bench.name)`", "\(all.count)", worst(\.breakMilliseconds), worst(\.silenceMilliseconds),
                worst(\.firstMicroseconds), worst(\.insideAfterSeconds),
            ]
        }
        return Self.table(
            [
                "case", "breaks", "card stopped ms (worst)", "silent longer ms", "first offset µs",
                "inside 20 µs after s",
            ], rows)
    }

    private var costs: String {
        let rows = cases.flatMap { _, tutti, snapcast in [tutti, snapcast].compactMap { $0 } }.map { summary in
            [
                "`\(summary.bench.name)`", summary.system, Self.cell(summary, \.commandToSoundMilliseconds),
                Self.cell(summary, \.loadedMilliseconds),
                Self.cell(summary) { $0.loads.dropFirst().map(\.processorPercent).max() },
                Self.cell(summary) { $0.loads.first?.processorPercent },
                Self.cell(summary) { $0.loads.dropFirst().map(\.residentMegabytes).max() },
                Self.cell(summary) { $0.loads.first?.residentMegabytes },
                Self.cell(summary) { $0.figures?.completeness }, Self.cell(summary) { $0.figures?.gapMilliseconds },
                Self.cell(summary) { $0.figures.map { Double($0.underruns) } },
            ]
        }
        return Self.table(
            [
                "case", "system", "to sound ms", "loaded ms", "player %", "sender %", "player MB", "sender MB",
                "song %",
                "gaps ms", "xruns",
            ], rows)
    }

    private var pictures: String {
        played.filter { $0.tutti?.typical != nil }
            .map { "### `\($0.bench.name)`: \($0.bench.title)\n\n![\($0.bench.name)](figures/\($0.bench.name).svg)" }
            .joined(separator: "\n\n")
    }
}
