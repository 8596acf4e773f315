extension BenchReport {
    /// How long commands take from their start to the ear, and how exactly rooms obey together.
    var commands: String {
        let rows = cases.filter { $0.bench.work == .steer }.flatMap { bench, tutti, _ in
            SteeringKind.allCases.compactMap { kind in tutti.flatMap { Self.row(kind, bench, $0) } }
        }
        return Self.table(
            [
                "case", "command", "mark ms", "met", "from `tutti`'s start ms (worst)",
                "from the request on the socket ms (worst)", "rooms apart after it, p99 µs", "clicks", "times",
            ], rows)
    }

    private static func row(_ kind: SteeringKind, _ bench: BenchCase, _ summary: CaseSummary) -> [String]? {
        let figures = summary.results.compactMap(\.steering)
        let mark = bench.marks.first { $0.figure == .command(kind) }
        func heard(_ way: SteeringStep.Way) -> [Double] { figures.flatMap { $0.heard(kind, way) }.sorted() }
        func cell(_ values: [Double]) -> String {
            values.last.map { "\(values[values.count / 2].text(0)) (\($0.text(0)))" } ?? "–"
        }
        let effects = figures.flatMap { $0.effects(kind) }
        guard let worst = heard(.program).last else { return nil }
        let offsets = effects.flatMap(\.apartMicroseconds)
        return [
            "`\(bench.name)`", kind.rawValue, mark.map { "≤ \($0.limit.shortText)" } ?? "–",
            mark.map { worst <= $0.limit ? "yes" : "no" } ?? "–", cell(heard(.program)), cell(heard(.socket)),
            offsets.isEmpty ? "–" : ComparisonReport.Spread(offsets).p99.shortText,
            "\(effects.reduce(0) { $0 + $1.clicks })", "\(effects.count)",
        ]
    }
}
