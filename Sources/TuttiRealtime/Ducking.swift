/// Lowers what the room plays while an overlay sounds: by 14 dB, in a straight line of 50 ms down, and the same back up
/// after the overlay's last frame.
///
/// The way down begins at the overlay's first frame, which has its instant on the group's clock: all rooms go down and
/// up together.
///
/// RT: plain numbers only.
struct Ducking: Sendable {
    /// −14 dB as a factor.
    static let gain: Float = 0.199_526_23
    /// Seconds of the way down, and of the way up.
    static let seconds = 0.05

    private var ramp = GainRamp(gain: 1)
    private let rampFrames: Int

    /// For an output of `outputRate` frames a second.
    init(outputRate: Double) { rampFrames = Int((outputRate * Self.seconds).rounded()) }

    /// Scales a period of the owner's interleaved stereo frames, in which overlays sound in `sound`.
    ///
    /// - Returns: whether the frames are what they were.
    mutating func apply(to samples: UnsafeMutablePointer<Float>, frames: Int, sound: SoundSpan) -> Bool {
        if sound.isEmpty && ramp.isUnity { return true }
        let first = sound.isEmpty ? frames : min(sound.first, frames)
        let end = max(first, min(sound.end, frames))
        go(to: 1, samples, from: 0, to: first)
        go(to: Self.gain, samples, from: first, to: end)
        go(to: 1, samples, from: end, to: frames)
        return false
    }

    private mutating func go(to target: Float, _ samples: UnsafeMutablePointer<Float>, from first: Int, to end: Int) {
        guard end > first else { return }
        ramp.set(target: target, frames: rampFrames)
        ramp.apply(to: samples + 2 * first, frames: end - first)
    }
}
