import Foundation
import TuttiCalibration
import TuttiCore
import TuttiLab

/// Makes recordings of a stereo input with a room on each channel, by formula: the truth is known.
struct Line {
    /// What plays, at `sampleRate`.
    var sound: [Float]
    var sampleRate = 48_000
    /// By how many µs the right room is behind at a time of the recording, in seconds.
    var offset: (Double) -> Double = { _ in 0 }
    /// How loud the rooms are.
    var gains: (left: Float, right: Float) = (0.7, 0.3)
    /// dB from each channel's signal down to white noise; nil for none.
    var noise: Double?
    /// What the right room's equipment does to its sound.
    var equipment: ([Float]) -> [Float] = { $0 }
    var seed: UInt64 = 1

    /// Noise that says something about time everywhere.
    static func noise(seconds: Double, sampleRate: Int = 48_000) -> [Float] {
        let samples = TestNoise.samples(seconds: seconds * Double(sampleRate) / Double(TestNoise.sampleRate))
        return Self(sound: samples).limited
    }

    /// The laboratory's music.
    static func music(seconds: Double) -> [Float] {
        let piece = Piece(seconds: seconds + 4, sampleRate: 48_000).render().correlationSignal()
        return Self(sound: Array(piece[48_000..<48_000 + Int(seconds * 48_000)])).limited
    }

    /// The sound below 20 kHz, as far as it can be moved between samples.
    private var limited: [Float] { moved { _ in 0 } }

    /// Both channels, rounded to 16 bits.
    func recording() -> (left: [Float], right: [Float]) {
        var random = SplitMix64(seed: seed)
        let right = equipment(moved { offset($0) * 1e-6 })
        return (rounded(sound, gains.left, &random), rounded(right, gains.right, &random))
    }

    func measured() throws(MeasurementError) -> StereoMeasurement {
        let (left, right) = recording()
        return try StereoMeasurement(left: left, right: right, sampleRate: sampleRate)
    }

    private func moved(_ delay: (Double) -> Double) -> [Float] {
        let interpolator = SincInterpolator(ratio: 1.2)
        let rate = Double(sampleRate)
        var output = [Float](repeating: 0, count: sound.count)
        sound.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                for frame in 0..<input.count {
                    interpolator.sample(
                        input, start: Double(frame) - delay(Double(frame) / rate) * rate, step: 1,
                        into: UnsafeMutableBufferPointer(rebasing: output[frame..<frame + 1]))
                }
            }
        }
        return output
    }

    private func rounded(_ samples: [Float], _ gain: Float, _ random: inout SplitMix64) -> [Float] {
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
        let level = noise.map { power.squareRoot() * Double(gain) * pow(10, -$0 / 20) }
        return samples.map { sample in
            let value = sample * gain + Float(level.map { $0 * random.gaussian() } ?? 0)
            return (min(max(value, -1), 1) * 32_767).rounded() / 32_768
        }
    }
}
