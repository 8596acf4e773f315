import TuttiCalibration
import TuttiFigures
import TuttiHost

/// A picture of a room's frequency response before and after a correction.
struct ResponsePicture {
    private let room: String
    private let proposal: CorrectionProposal

    private static let lowest = 20.0
    private static let highest = 20_000.0

    init(_ room: String, _ proposal: CorrectionProposal) {
        (self.room, self.proposal) = (room, proposal)
    }

    /// - Throws: `HostError` when the file cannot be written.
    func write(to path: String) throws {
        try AtomicFile.write(Array(svg.utf8), to: path, mode: 0o644, isDurable: false)
    }

    /// The picture.
    var svg: String { PlotPanel.picture(width: 960, height: 560, [levels, correction]) }

    private var levels: PlotPanel {
        let all = proposal.before.decibels + proposal.after.decibels
        // A deep null must not make everything else small.
        let lower = min(-10, max(-30, ((all.min() ?? 0) / 5).rounded(.down) * 5))
        let upper = max(10, min(30, ((all.max() ?? 0) / 5).rounded(.up) * 5))
        return PlotPanel(
            title: "\(room): level, dB", left: 70, top: 40, width: 860, height: 300,
            xScale: .octaves(Self.lowest, Self.highest), yScale: .linear(lower, upper), xUnit: "Hz", yUnit: "dB",
            series: [
                line("measured", "#bbb", proposal.measured.decibels, width: 0.7),
                line("smoothed", PlotSeries.warm[0], proposal.before.decibels, width: 1.2),
                line("target", "#555", proposal.target.decibels, width: 1),
                line("predicted", PlotSeries.cold[0], proposal.after.decibels, width: 1.8),
            ], marks: [proposal.range.upperBound])
    }

    private var correction: PlotPanel {
        let values = CorrectionProposal.correction(proposal.bands)
        let reach = max(6, values.map(abs).max() ?? 0)
        return PlotPanel(
            title: "correction, dB", left: 70, top: 400, width: 860, height: 115,
            xScale: .octaves(Self.lowest, Self.highest), yScale: .signed(reach), xUnit: "Hz", yUnit: "dB",
            series: [line("", PlotSeries.cold[0], values, width: 1.5)])
    }

    private func line(_ label: String, _ color: String, _ decibels: [Double], width: Double) -> PlotSeries {
        PlotSeries(
            label: label, color: color, points: zip(FrequencyResponse.frequencies, decibels).map { ($0, $1) },
            width: width)
    }
}
