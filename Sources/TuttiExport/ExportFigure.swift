import Glibc
import TuttiFigures
import TuttiSignal

/// A picture of what was rendered: the waveform before and after, and both average spectra.
package struct ExportFigure {
    private let before: ExportSketch
    private let after: ExportSketch

    /// Decibels that the spectra show, at most.
    private static let span = 90.0
    /// Points of the spectra to an octave.
    private static let density = 24.0

    init(before: ExportSketch, after: ExportSketch) { (self.before, self.after) = (before, after) }

    /// The picture.
    package var svg: String {
        PlotPanel.picture(
            width: 960, height: 760,
            [
                waveform("before", before, PlotSeries.warm[0], top: 40),
                waveform("after", after, PlotSeries.cold[0], top: 225), spectra,
            ])
    }

    private var seconds: Double { Double(after.envelope.frameCount) / Double(after.sampleRate) }

    private func waveform(_ title: String, _ sketch: ExportSketch, _ color: String, top: Double) -> PlotPanel {
        let step = Double(sketch.envelope.framesPerSpan) / Double(sketch.sampleRate)
        var points: [(x: Double, y: Double)] = []
        for (index, span) in sketch.envelope.spans.enumerated() {
            let time = (Double(index) + 0.5) * step
            guard time <= seconds else { break }
            points += [(time, Double(span.lowest)), (time, Double(span.highest))]
        }
        return PlotPanel(
            title: title, left: 70, top: top, width: 860, height: 130, xScale: .linear(0, max(seconds, 0.01)),
            yScale: .signed(1), xUnit: "s", yUnit: "",
            series: [PlotSeries(label: "", color: color, points: points, width: 0.7)])
    }

    private var spectra: PlotPanel {
        let highest = min(20_000, Double(after.sampleRate) / 2 * 0.98)
        let count = Int(log2(highest / 20) * Self.density)
        let frequencies = (0...count).map { 20 * exp2(Double($0) / Self.density) }
        let levels = [before, after].map { $0.spectrum.levels(at: frequencies) }
        let top = ((levels.joined().max() ?? 0) / 10).rounded(.up) * 10
        let bottom = max(top - Self.span, ((levels.joined().min() ?? 0) / 10).rounded(.down) * 10)
        let series = zip(["before", "after"], zip([PlotSeries.warm[0], PlotSeries.cold[0]], levels)).map {
            label, line in
            PlotSeries(label: label, color: line.0, points: Array(zip(frequencies, line.1)), width: 1.3)
        }
        return PlotPanel(
            title: "average spectrum, dB, 1/12 octave", left: 70, top: 410, width: 860, height: 300,
            xScale: .octaves(20, highest), yScale: .linear(bottom, max(top, bottom + 10)), xUnit: "Hz", yUnit: "dB",
            series: series)
    }
}
