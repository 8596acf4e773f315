import Glibc

/// A gain over the frames of a sound, which may begin at another one: a short ramp leads from that to it without a
/// click.
struct GainRamp: Equatable {
    /// What the first frame is multiplied with, nearly.
    private let first: Float
    /// What the frames after the ramp are multiplied with.
    let gain: Float

    /// Seconds of the ramp.
    private static let length = 0.05

    /// - Parameter first: what comes before is multiplied with.
    init(_ gain: Float, after first: Float? = nil) {
        self.first = first ?? gain
        self.gain = gain
    }

    /// Whether samples stay as they are, bit for bit.
    var isUnity: Bool { first == 1 && gain == 1 }

    /// What decibels multiply samples with.
    static func amplitude(ofDecibels decibels: Double) -> Float {
        decibels == 0 ? 1 : Float(pow(10, decibels / 20))
    }

    /// Multiplies interleaved stereo, of which the first frame has the number `position`.
    func apply(to samples: inout [Float], from position: Int, sampleRate: Int) {
        if isUnity { return }
        let frames = first == gain ? 0 : max(1, Int(Self.length * Double(sampleRate)))
        let ramped = max(0, min(frames - position, samples.count / 2))
        for frame in 0..<ramped {
            let factor = first + (gain - first) * (Float(position + frame) + 0.5) / Float(frames)
            samples[2 * frame] *= factor
            samples[2 * frame + 1] *= factor
        }
        for index in 2 * ramped..<samples.count { samples[index] *= gain }
    }
}
