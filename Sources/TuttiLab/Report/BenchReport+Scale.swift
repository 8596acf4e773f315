import TuttiFigures

/// What many rooms cost.
extension BenchReport {
    /// The cases with a crowd: how many rooms play in each, and what that gave.
    private var scaled: [(rooms: Int, tutti: CaseSummary?, snapcast: CaseSummary?)] {
        cases.filter { $0.bench.isScale }.map { ($0.bench.rooms.count + $0.bench.crowd, $0.tutti, $0.snapcast) }
            .sorted { $0.rooms < $1.rooms }
    }

    /// A row for each number of rooms and each system.
    var scale: String {
        let rows = scaled.flatMap { rooms, tutti, snapcast in
            [tutti, snapcast].compactMap(\.self).map { summary -> [String] in
                func cell(_ figure: (BenchResult) -> Double?) -> String {
                    summary.middleAndWorst(figure)?.middle.shortText ?? "–"
                }
                return [
                    "\(rooms)", summary.system, cell(\.commandToSoundMilliseconds),
                    cell { $0.loadedMilliseconds.map { $0 / 1e3 } }, cell { $0.figures?[.whole]?.p99 },
                    cell { $0.loads.first?.processorPercent }, cell { $0.loads.first?.residentMegabytes },
                    cell { $0.crowd?.processorPercent }, cell { $0.crowd?.residentMegabytes },
                    cell { $0.crowd?.kilobytesPerSecond }, cell { $0.crowd.map { Double($0.logLines) } },
                ]
            }
        }
        return Self.table(
            [
                "rooms", "system", "to sound ms", "all loaded s", "p99 µs", "sender %", "sender MB", "a room %",
                "a room MB",
                "kB/s a room", "log lines",
            ], rows)
    }

    /// What the sender takes and how long it loads, by the number of rooms; nil where fewer than two were measured.
    var scalePicture: String? {
        guard scaled.count(where: { $0.tutti != nil }) > 1 else { return nil }
        let figures: [(title: String, unit: String, value: (BenchResult) -> Double?)] = [
            ("the sender's processor time, % of a core", "%", { $0.loads.first?.processorPercent }),
            ("the sender's memory", "MB", { $0.loads.first?.residentMegabytes }),
            ("until all hold the minute", "s", { $0.loadedMilliseconds.map { $0 / 1e3 } }),
            ("what the sender's host sends for a room", "kB/s", { $0.crowd?.kilobytesPerSecond }),
        ]
        let panels = figures.enumerated().map { index, figure in
            let lines = [
                line("Tutti", PlotSeries.cold[0], figure.value) { $0.tutti },
                line("Snapcast", PlotSeries.warm[0], figure.value) { $0.snapcast },
            ].filter { !$0.points.isEmpty }
            let points = lines.flatMap(\.points)
            return PlotPanel(
                title: figure.title, left: 70 + 470 * Double(index % 2), top: 40 + 300 * Double(index / 2), width: 380,
                height: 220,
                xScale: .linear(0, points.map(\.x).max() ?? 1), yScale: .linear(0, 1.1 * (points.map(\.y).max() ?? 1)),
                xUnit: "rooms", yUnit: figure.unit, series: lines)
        }
        return PlotPanel.picture(width: 960, height: 600, panels)
    }

    private func line(
        _ label: String, _ color: String, _ value: (BenchResult) -> Double?,
        _ summary: ((rooms: Int, tutti: CaseSummary?, snapcast: CaseSummary?)) -> CaseSummary?
    ) -> PlotSeries {
        let points = scaled.compactMap { entry in
            summary(entry)?.middleAndWorst(value).map { (x: Double(entry.rooms), y: $0.middle) }
        }
        return PlotSeries(label: label, color: color, points: points, width: 2)
    }
}
