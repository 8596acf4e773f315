import TuttiFigures

/// A picture of a run: how late each room was, what it held ahead, and what happened.
package struct HousePlot: Sendable {
    private static let colors = [
        "#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#6f42c1", "#17a2b8", "#8c564b", "#e377c2", "#bcbd22", "#20639b",
    ]
    /// Points that a line of a room is drawn with, at most twice as many.
    private static let points = 450
    private static let width = 1100.0
    private static let left = 70.0

    /// A room's points: seconds, and µs or seconds.
    private struct Lines: Sendable {
        var name: String
        var late: [(x: Double, y: Double)] = []
        var ahead: [(x: Double, y: Double)] = []
    }

    private var rooms: [Lines]
    private var steps: [Step] = []
    private let duration: Double

    /// Before the beginning of a run.
    package init(_ scenario: Scenario) {
        rooms = scenario.rooms.map { Lines(name: $0.name) }
        duration = Double(scenario.duration) / 1e9
    }

    /// Takes in a moment.
    package mutating func note(_ moment: Moment) {
        steps += moment.steps
        let seconds = Double(moment.observation.at) / 1e9
        for (index, room) in moment.observation.rooms.enumerated() where rooms.indices.contains(index) {
            if let late = room.truth.lateness?.last { rooms[index].late.append((seconds, Double(late) / 1e3)) }
            if let depth = RoomRecord.depth(room) { rooms[index].ahead.append((seconds, Double(depth) / 1e9)) }
        }
    }

    /// The picture, as SVG.
    package var picture: String {
        let notes = notes(below: 560)
        return PlotPanel.picture(
            width: Self.width, height: 560 + Double((notes.count + 2) / 3) * 16, [latePanel, aheadPanel], notes: notes)
    }

    private var marks: [Double] { steps.map { Double($0.at) / 1e9 } }

    private var latePanel: PlotPanel {
        // What is far off for a moment after a fault leaves the rest to be seen.
        let sizes = rooms.flatMap(\.late).map { abs($0.y) }.sorted()
        let reach = sizes.isEmpty ? 10 : sizes[sizes.count * 995 / 1000]
        return panel("late, µs", unit: "µs", top: 30, height: 260, scale: .signed(max(10, reach)), \.late)
    }

    private var aheadPanel: PlotPanel {
        let most = rooms.flatMap(\.ahead).map(\.y).max() ?? 1
        return panel("buffered, s", unit: "s", top: 345, height: 160, scale: .linear(0, max(1, most * 1.05)), \.ahead)
    }

    private func panel(
        _ title: String, unit: String, top: Double, height: Double, scale: PlotScale,
        _ points: KeyPath<Lines, [(x: Double, y: Double)]>
    ) -> PlotPanel {
        let series = rooms.enumerated().flatMap { index, room in
            Self.stretches(room[keyPath: points]).enumerated().map { place, part in
                PlotSeries(
                    label: place == 0 ? room.name : "", color: Self.colors[index % Self.colors.count], points: part
                ).decimated(to: Self.points)
            }
        }
        var panel = PlotPanel(
            title: title, left: Self.left, top: top, width: Self.width - Self.left - 30, height: height,
            xScale: .linear(0, max(1, duration)), yScale: scale, xUnit: "s", yUnit: unit, series: series, marks: marks)
        panel.numbersMarks = steps.count <= 60
        return panel
    }

    /// A line's points, cut where there are none for more than half a second.
    private static func stretches(_ points: [(x: Double, y: Double)]) -> [[(x: Double, y: Double)]] {
        var result: [[(x: Double, y: Double)]] = []
        for point in points {
            if let last = result.last?.last, point.x - last.x < 0.5 {
                result[result.count - 1].append(point)
            } else {
                result.append([point])
            }
        }
        return result
    }

    /// What happened, in three columns.
    private func notes(below top: Double) -> [(x: Double, y: Double, text: String)] {
        guard steps.count <= 60 else { return [] }
        let rows = (steps.count + 2) / 3
        return steps.enumerated().map { index, step in
            (
                Self.left + Double(index / max(1, rows)) * 340, top + Double(index % max(1, rows)) * 16,
                "\(index + 1)  \(step)"
            )
        }
    }
}
