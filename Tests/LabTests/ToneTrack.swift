import Foundation
import TuttiLab

/// One tone of a room's recording, as a lock-in amplifier sees it: how loud it is and where in its period, at any
/// instant.
struct ToneTrack {
    let frequency: Double
    private let samples: [Float]
    private let run: TruthLog.Run

    /// Half of the window, in seconds: with its shape it sees nothing of tones 400 Hz away.
    private static let reach = 0.01

    /// The samples of such a tone, a quarter of full scale.
    static func samples(_ frequency: Double, seconds: Int, rate: Int) -> [Float] {
        (0..<rate * seconds).map { Float(0.25 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    /// - Parameters:
    ///   - card: of one run.
    ///   - channel: of the card, counted from 0.
    init(_ frequency: Double, in card: CardRecording, channel: Int = 0) throws {
        guard let run = card.truth.runs.first, card.truth.runs.count == 1,
            let channels = card.recordings.first?.channels, channels.indices.contains(channel)
        else { throw AnalysisError.unreadable(path: "\(card.name): not one run") }
        (self.frequency, self.samples, self.run) = (frequency, channels[channel], run)
    }

    /// When the recording begins and ends, in seconds of CLOCK_MONOTONIC_RAW.
    var span: ClosedRange<Double> {
        let start = Double(run.start) / 1e9
        return start...start + Double(samples.count - run.firstFrame) / run.trueRate
    }

    /// Amplitude and phase (radians, of a tone that has phase 0 at instant 0) at an instant.
    func tone(at instant: Double) -> (amplitude: Double, phase: Double) {
        let centre = (instant - Double(run.start) / 1e9) * run.trueRate + Double(run.firstFrame)
        let reach = Self.reach * run.trueRate
        let first = max(0, Int((centre - reach).rounded(.up)))
        let last = min(samples.count - 1, Int(centre + reach))
        var (real, imaginary, weights) = (0.0, 0.0, 0.0)
        for index in first...max(first, last) where index < samples.count {
            let offset = (Double(index) - centre) / reach
            let weight = 1 + cos(.pi * offset)
            let angle = 2 * Double.pi * frequency * (Double(index) - centre) / run.trueRate
            real += weight * Double(samples[index]) * cos(angle)
            imaginary -= weight * Double(samples[index]) * sin(angle)
            weights += weight
        }
        let phase = atan2(imaginary, real) - 2 * .pi * frequency * instant.truncatingRemainder(dividingBy: 1)
        return (2 * hypot(real, imaginary) / weights, phase)
    }

    func amplitude(at instant: Double) -> Double { tone(at: instant).amplitude }

    /// How much later this track has the tone than `other` at an instant, in µs; to within half a period.
    func lateness(against other: ToneTrack, at instant: Double) -> Double {
        let turns = (other.tone(at: instant).phase - tone(at: instant).phase) / (2 * .pi)
        return (turns - turns.rounded()) / frequency * 1e6
    }

    /// Where the tone is at least half as loud as `amplitude`, from first to last, to a millisecond.
    func heard(_ amplitude: Double) -> ClosedRange<Double>? {
        let loud = stride(from: span.lowerBound, to: span.upperBound, by: 0.001).filter {
            self.amplitude(at: $0) > amplitude / 2
        }
        guard let first = loud.first, let last = loud.last else { return nil }
        return first...last
    }
}
