import TuttiFigures

/// The picture of a case: offsets over time, how often they are how large, and how far they move within a time;
/// Snapcast's in the same picture where it was measured.
struct CaseFigure {
    let tutti: CaseSummary
    let snapcast: CaseSummary?

    /// Of the seed whose p99 is in the middle; nil without anything to draw.
    var picture: String? {
        guard let result = tutti.typical, let report = relieved(result) else { return nil }
        var panels = [
            report.offsetPanel(
                title: "Tutti, seed \(result.seed): µs behind", colors: PlotSeries.cold, left: 70, top: 30, height: 190,
                marks: result.figures?.effects.map(\.seconds) ?? [])
        ]
        var top = 265.0
        let other = snapcast?.typical
        if let other, let beside = relieved(other) {
            panels.append(
                beside.offsetPanel(
                    title: "\(capitalised(other.system)), seed \(other.seed): µs behind", colors: PlotSeries.warm,
                    left: 70,
                    top: top, height: 190))
            top += 235
        }
        panels.append(histogram(top: top))
        panels.append(intervals(result, other, top: top))
        return PlotPanel.picture(width: 960, height: top + 225, panels)
    }

    private func relieved(_ result: BenchResult) -> ComparisonReport? {
        guard var report = result.comparison else { return nil }
        let unobservable = tutti.bench.unobservable
        report.pairs = report.pairs.map { $0.relieved(of: unobservable) }
        return report
    }

    private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// All pairs of all seeds.
    private func histogram(top: Double) -> PlotPanel {
        var series: [PlotSeries] = []
        let entries: [(CaseSummary?, String, String)] = [
            (snapcast, PlotSeries.warm[0], "Snapcast"), (tutti, PlotSeries.cold[0], "Tutti"),
        ]
        for (summary, color, name) in entries {
            guard let summary else { continue }
            let offsets = summary.results.compactMap(relieved).flatMap(\.pairs).flatMap {
                $0.offsets.map(\.microseconds)
            }
            series.append(
                PlotSeries(label: name, color: color, points: OffsetHistogram(offsets).outline, width: 1.5))
        }
        let points = series.flatMap(\.points)
        return PlotPanel(
            title: "|offset|, all seeds: % of windows", left: 70, top: top, width: 370, height: 180,
            xScale: .logarithmic(points.map(\.x).min() ?? 0.1, points.map(\.x).max() ?? 10),
            yScale: .linear(0, 1.1 * (points.map(\.y).max() ?? 1)), xUnit: "µs", yUnit: "%", series: series)
    }

    /// MTIE of the worst pair at each length.
    private func intervals(_ result: BenchResult, _ other: BenchResult?, top: Double) -> PlotPanel {
        var series: [PlotSeries] = []
        let entries: [(BenchResult?, String, String)] = [
            (other, PlotSeries.warm[0], "Snapcast"), (result, PlotSeries.cold[0], "Tutti"),
        ]
        for (result, color, name) in entries {
            guard let report = result.flatMap(relieved) else { continue }
            var worst: [Double: Double] = [:]
            for pair in report.pairs {
                for point in TimeIntervalError(pair.offsets).curve() {
                    worst[point.seconds] = max(worst[point.seconds] ?? 0, point.microseconds)
                }
            }
            // A pair that did not play for so long has moved at least as far as within a shorter time.
            var reached = OffsetHistogram.smallest
            let points = worst.sorted { $0.key < $1.key }.map { point in
                reached = max(reached, point.value)
                return (point.key, reached)
            }
            series.append(PlotSeries(label: name, color: color, points: points, width: 1.5))
        }
        let points = series.flatMap(\.points)
        return PlotPanel(
            title: "MTIE, worst pair", left: 530, top: top, width: 400, height: 180,
            xScale: .logarithmic(0.1, points.map(\.x).max() ?? 10),
            yScale: .logarithmic(points.map(\.y).min() ?? 0.1, points.map(\.y).max() ?? 10), xUnit: "s", yUnit: "µs",
            series: series)
    }
}
