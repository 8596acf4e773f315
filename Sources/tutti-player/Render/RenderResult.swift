import Foundation
import TuttiCore
import TuttiExport

/// What `tutti render` says when it is done.
struct RenderResult: Encodable {
    struct Loudness: Encodable {
        /// LUFS before the gain, decibels of gain, whether a limiter was needed.
        var before: Double
        var gain: Double
        var limited: Bool
        /// LUFS and dBTP of the output.
        var after: Double?
        var truePeak: Double?
    }

    struct Damage: Encodable {
        var name: String
        var packets: Int
    }

    var output: String
    var container: String
    /// `16`, `24` or `32f`; left out for lossy files.
    var bits: String?
    var sampleRate: Int
    var frames: Int64
    var seconds: Double
    /// Seconds that it took, and how many times as fast as real time that is, with all passes.
    var elapsed: Double
    var ratio: Double
    var clippedSamples: Int64
    var damaged: [Damage]
    var loudness: Loudness?

    init(
        _ output: String, _ settings: AudioFileSettings, _ report: ExportReport, elapsed: Double, rendered: Double
    ) {
        self.output = output
        container = settings.container.rawValue
        bits = settings.container.isLossless ? settings.sampleFormat.rawValue : nil
        sampleRate = settings.sampleRate
        frames = report.frameCount
        seconds = report.seconds
        self.elapsed = elapsed
        ratio = rendered / max(elapsed, 1e-6)
        clippedSamples = report.clippedCount
        damaged = report.damaged.map { Damage(name: $0.name, packets: $0.count) }
        loudness = report.loudness.map {
            Loudness(
                before: $0.before, gain: $0.gain, limited: $0.isLimited, after: $0.after, truePeak: $0.truePeak)
        }
    }

    /// What is not as it should be.
    var warnings: [String] {
        var lines = damaged.map { item in
            "\(item.name): \(item.packets) damaged \(item.packets == 1 ? "packet is" : "packets are") silent"
        }
        if clippedSamples > 0 {
            lines.append(
                "\(clippedSamples) \(clippedSamples == 1 ? "sample is" : "samples are") cut off at full scale; "
                    + "add --limit -1 to avoid that")
        }
        return lines
    }

    /// One line, or two with a loudness.
    var text: String {
        let depth =
            switch bits {
            case "32f": ", 32-bit floats"
            case let bits?: ", \(bits) bits"
            case nil: ""
            }
        var text =
            "\(output): \(RenderProgress.time(seconds)) at \(sampleRate) Hz\(depth), rendered in "
            + "\(Self.decimal(elapsed)) s, \(RenderProgress.factor(ratio)) × real time\n"
        if let loudness {
            let after = loudness.after.map { Self.decimal($0) } ?? "-inf"
            let peak = loudness.truePeak.map { ", true peak \(Self.decimal($0)) dBTP" } ?? ""
            text +=
                "loudness \(Self.decimal(loudness.before)) to \(after) LUFS, gain "
                + "\(String(format: "%+.1f", loudness.gain)) dB\(loudness.limited ? " and a limiter" : "")\(peak)\n"
        }
        return text
    }

    private static func decimal(_ value: Double) -> String { String(format: "%.1f", value) }
}
