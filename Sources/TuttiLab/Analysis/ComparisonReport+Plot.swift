import TuttiFigures
import TuttiSignal

extension ComparisonReport {
    /// The pairs' offsets over time as an SVG picture.
    package var plot: String {
        let panel = offsetPanel(
            title: "µs behind", colors: PlotSeries.cold + PlotSeries.warm, left: 70, top: 40, height: 330)
        return PlotPanel.picture(width: 960, height: 410, [panel])
    }

    /// The pairs' offsets over time.
    /// - Parameter marks: seconds to be marked.
    func offsetPanel(
        title: String, colors: [String], left: Double, top: Double, height: Double, marks: [Double] = []
    ) -> PlotPanel {
        let points = pairs.flatMap(\.offsets)
        let lines = pairs.enumerated().flatMap { index, pair in
            let stretches = pair.offsets.stretches
            return stretches.enumerated().map { place, offsets in
                PlotSeries(
                    label: place == 0 ? "\(pair.first) – \(pair.second)" : "", color: colors[index % colors.count],
                    points: offsets.map { ($0.seconds, $0.microseconds) }
                ).decimated(to: max(20, 200 / stretches.count))
            }
        }
        return PlotPanel(
            title: title, left: left, top: top, width: 960 - left - 30, height: height,
            xScale: .linear(0, max(1, points.map(\.seconds).max() ?? 1)),
            yScale: .signed(points.map { abs($0.microseconds) }.max() ?? 1), xUnit: "s", yUnit: "µs", series: lines,
            marks: marks)
    }
}
