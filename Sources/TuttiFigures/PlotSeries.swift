/// A line of a picture.
package struct PlotSeries {
    package var label: String
    package var color: String
    package var points: [(x: Double, y: Double)]
    package var width: Double

    /// A line; `points` in order of x.
    package init(label: String, color: String, points: [(x: Double, y: Double)], width: Double = 1) {
        self.label = label
        self.color = color
        self.points = points
        self.width = width
    }

    /// Colours for pairs of rooms: Tutti's are cold, those of others warm.
    package static let cold = ["#1f77b4", "#2ca02c", "#17a2b8", "#6f42c1", "#20639b", "#3caea3"]
    package static let warm = ["#d62728", "#ff7f0e", "#b5651d", "#e377c2", "#8c564b", "#bcbd22"]

    /// The same line with less to draw: of each of `count` equal parts of the axis only the lowest and the highest
    /// point.
    package func decimated(to count: Int) -> PlotSeries {
        guard points.count > 2 * count, let first = points.first?.x, let last = points.last?.x, last > first else {
            return self
        }
        var kept: [(x: Double, y: Double)] = []
        var part: ArraySlice<(x: Double, y: Double)> = []
        func close() {
            let ends = [part.min { $0.y < $1.y }, part.max { $0.y < $1.y }].compactMap { $0 }.sorted { $0.x < $1.x }
            kept += ends.first?.x == ends.last?.x ? Array(ends.prefix(1)) : ends
            part = []
        }
        var index = 0
        for point in points {
            let place = min(count - 1, Int((point.x - first) / (last - first) * Double(count)))
            if place != index { close() }
            index = place
            part.append(point)
        }
        close()
        var thinner = self
        thinner.points = kept
        return thinner
    }
}
