import Glibc
import TuttiCommandLine
import TuttiFigures
import TuttiHost
import TuttiSignal

/// A picture of a measurement: the offset over time, and how far it moves within a time.
struct MeasurePicture {
    private let report: MeasureReport

    init(_ report: MeasureReport) { self.report = report }

    /// Finds out whether a picture can be written, before anything is measured.
    ///
    /// - Throws: `ProgramFailure` when it cannot.
    static func check(_ path: String) throws {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var info = stat()
        let isFolder = stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        guard !path.isEmpty, !isFolder, access(folder, W_OK | X_OK) == 0 else {
            throw Failure("cannot write \(path): choose a folder that you may write to")
        }
    }

    /// - Throws: `HostError` when the file cannot be written.
    func write(to path: String) throws {
        try AtomicFile.write(Array(svg.utf8), to: path, mode: 0o644, isDurable: false)
    }

    /// The picture.
    var svg: String {
        let offset = MeasureReport.number(report.figures.offsetUs, report.figures.offsetUncertaintyUs)
        let title = "\(report.second) behind \(report.first), µs, less \(offset) µs"
        return PlotPanel.picture(width: 960, height: 560, [offsets(title), intervals])
    }

    private func offsets(_ title: String) -> PlotPanel {
        let values = report.offsets.map {
            TimedOffset(seconds: $0.seconds, microseconds: $0.microseconds - report.figures.offsetUs)
        }
        // Chirps are further apart than windows: they are one line.
        let lines = report.recording == nil ? [values] : values.stretches
        return PlotPanel(
            title: title, left: 70, top: 40, width: 860, height: 250,
            xScale: .linear(0, max(1, values.last?.seconds ?? 1)),
            yScale: .signed(values.map { abs($0.microseconds) }.max() ?? 1), xUnit: "s", yUnit: "µs",
            series: lines.map { line in
                PlotSeries(label: "", color: PlotSeries.cold[0], points: line.map { ($0.seconds, $0.microseconds) })
                    .decimated(to: max(20, 400 / lines.count))
            })
    }

    private var intervals: PlotPanel {
        let points = TimeIntervalError(report.offsets).curve().map { (x: $0.seconds, y: max($0.microseconds, 1e-3)) }
        return PlotPanel(
            title: "MTIE: the most that the offset changes within a time, µs", left: 70, top: 345, width: 860,
            height: 170,
            xScale: .logarithmic(0.1, points.map(\.x).max() ?? 10),
            yScale: .logarithmic(points.map(\.y).min() ?? 0.1, points.map(\.y).max() ?? 10), xUnit: "s", yUnit: "µs",
            series: [PlotSeries(label: "", color: PlotSeries.cold[0], points: points, width: 1.5)])
    }
}
