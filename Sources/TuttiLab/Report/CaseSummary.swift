/// What one case gave with one system, over its seeds.
package struct CaseSummary: Sendable {
    package var bench: BenchCase
    /// "tutti", or Snapcast with its version.
    package var system: String
    /// The results that are none of failure, by seed.
    package var results: [BenchResult]
    /// Why seeds have no result.
    package var failures: [String]

    /// The summary of those of `results` that belong to the case and the system; nil when there are none.
    package init?(_ bench: BenchCase, isTutti: Bool, of results: [BenchResult]) {
        let own = results.filter { $0.name == bench.name && $0.isTutti == isTutti }
        guard let system = own.first?.system else { return nil }
        self.bench = bench
        self.system = system
        self.results = own.filter { $0.failure == nil }.sorted { $0.seed < $1.seed }
        failures = own.compactMap { result in result.failure.map { "seed \(result.seed): \($0)" } }
    }

    /// The middle and the largest of a figure over the seeds; of two middles the larger. Nil when no seed has it.
    package func middleAndWorst(_ figure: (BenchResult) -> Double?) -> (middle: Double, worst: Double)? {
        let values = results.compactMap(figure).sorted()
        guard let worst = values.last else { return nil }
        return (values[values.count / 2], worst)
    }

    /// The result whose p99 is in the middle: the one for the pictures.
    package var typical: BenchResult? {
        let sorted = results.filter { $0.comparison != nil }
            .sorted { ($0.figures?[.whole]?.p99 ?? 0) < ($1.figures?[.whole]?.p99 ?? 0) }
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }

    /// How the case's marks are met.
    package enum Verdict: String, Sendable {
        /// Every seed is inside.
        case met = "yes"
        /// The middle seed is, the worst is not.
        case mostly = "middle seed"
        case missed = "no"
    }

    /// The verdict of the worst mark; nil for a case without marks or without figures for them.
    package var verdict: Verdict? {
        var worst: Verdict?
        for mark in bench.marks {
            guard let values = middleAndWorst(mark.value) else { continue }
            if values.middle > mark.limit { return .missed }
            worst = values.worst > mark.limit ? .mostly : worst ?? .met
        }
        return worst
    }
}
