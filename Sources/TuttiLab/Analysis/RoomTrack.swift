import Foundation
import TuttiSignal

/// What a room played, on the axis of true time: sample `i` is what left the card `i / rate` seconds after the axis
/// began.
///
/// Cards of any rate and ppm become comparable here; where no frame left there is silence.
package struct RoomTrack: Sendable {
    /// Samples a second of true time, for every track.
    package static let rate = 48000.0

    /// Tracks and source keep what lies below 20 kHz: nearer to half the rate no resampling is exact, and what was
    /// resampled differently would not compare.
    package static let bandLimit = 1.2

    /// The room's name.
    package var name: String
    /// One channel (see `WaveFile.correlationSignal`).
    package var samples: [Float]
    /// Where frames left: one range a run.
    package var covered: [Range<Int>]
    /// Of each run that is heard, from its first audible sample to its end.
    package private(set) var sounding: [Range<Int>] = []

    /// The track of a card on the axis that begins at `origin` (raw ns).
    package init(_ card: CardRecording, origin: Int64) {
        name = card.name
        covered = []
        let end = card.truth.runs.map(\.end).max() ?? origin
        let count = max(0, Int((Double(end - origin) / 1e9 * Self.rate).rounded(.up)))
        samples = [Float](repeating: 0, count: count)
        var lastFile: (source: WaveFile, signal: [Float])?
        for (run, recording) in zip(card.truth.runs, card.recordings) {
            if lastFile == nil || lastFile?.source.channels != recording.channels {
                lastFile = (recording, recording.correlationSignal())
            }
            guard let signal = lastFile?.signal else { continue }
            place(run, signal, origin: origin)
        }
        let threshold = threshold
        sounding = covered.compactMap { run in
            samples[run].firstIndex { abs($0) > threshold }.map { $0..<run.upperBound }
        }
    }

    private mutating func place(_ run: TruthLog.Run, _ signal: [Float], origin: Int64) {
        let frames = min(run.frames, signal.count - run.firstFrame)
        guard frames > 0 else { return }
        let seconds = Double(run.start - origin) / 1e9
        let first = max(0, Int((seconds * Self.rate).rounded(.up)))
        let step = run.trueRate / Self.rate
        let count = min(samples.count - first, Int((Double(frames - 1) / step).rounded(.down)))
        guard count > 0 else { return }
        let interpolator = SincInterpolator(ratio: max(step, Self.bandLimit))
        signal.withUnsafeBufferPointer { whole in
            samples.withUnsafeMutableBufferPointer { all in
                let piece = UnsafeBufferPointer(rebasing: whole[run.firstFrame..<run.firstFrame + frames])
                let start = (Double(first) / Self.rate - seconds) * run.trueRate
                interpolator.sample(
                    piece, start: start, step: step,
                    into: UnsafeMutableBufferPointer(rebasing: all[first..<first + count]))
            }
        }
        covered.append(first..<first + count)
    }

    /// The loudest sample.
    package var peak: Float { samples.reduce(0) { max($0, abs($1)) } }

    /// What is heard: −50 dB of the room's peak.
    private var threshold: Float { max(peak * 0.003, 1e-5) }

    /// The samples from the first to the last that are heard; nil in a silent room.
    package var audible: Range<Int>? {
        let threshold = threshold
        guard let first = samples.firstIndex(where: { abs($0) > threshold }),
            let last = samples.lastIndex(where: { abs($0) > threshold })
        else { return nil }
        return first..<last + 1
    }

    /// Whether frames left during the whole of `range`, the time before the card's first run not counted: a window
    /// around the first sound belongs to the measurement.
    package func covers(_ range: Range<Int>) -> Bool {
        let first = covered.first?.lowerBound ?? 0
        let lower = max(range.lowerBound, min(first, range.upperBound - 1))
        return covered.contains { $0.lowerBound <= lower && range.upperBound <= $0.upperBound }
    }

    /// Whether the room sounds during the whole of `range`, but for a part at the range's beginning: 60 ms before its
    /// first sound, because rooms that begin apart are compared from the first of them on, and 10 ms after a break.
    package func sounds(_ range: Range<Int>) -> Bool {
        sounding.indices.contains { index in
            let early = index == 0 ? 2880 : 480
            return sounding[index].lowerBound - early <= range.lowerBound
                && range.upperBound <= sounding[index].upperBound
        }
    }

    /// The root mean square of `range`, which lies inside the track.
    package func level(_ range: Range<Int>) -> Double { Self.level(samples[range]) }

    /// The root mean square of samples.
    package static func level(_ samples: ArraySlice<Float>) -> Double { samples.rootMeanSquare }
}
