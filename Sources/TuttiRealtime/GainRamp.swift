/// A gain that moves to its target in a straight line, frame by frame.
///
/// RT: plain numbers only.
package struct GainRamp: Sendable {
    /// The gain of the next frame.
    package private(set) var gain: Float
    /// Where it goes.
    package private(set) var target: Float
    private var step: Float = 0
    private var framesLeft = 0

    /// A ramp at rest at `gain`.
    package init(gain: Float) {
        self.gain = gain
        target = gain
    }

    /// True when the ramp leaves samples as they are.
    package var isUnity: Bool { framesLeft == 0 && gain == 1 }

    /// Goes to `target` within `frames` frames (0: at once); the target that is already set changes nothing.
    package mutating func set(target newTarget: Float, frames: Int) {
        guard newTarget.isFinite, newTarget != target else { return }
        target = newTarget
        framesLeft = max(0, frames)
        if framesLeft == 0 { gain = newTarget } else { step = (newTarget - gain) / Float(framesLeft) }
    }

    /// Scales interleaved stereo frames.
    package mutating func apply(to samples: UnsafeMutablePointer<Float>, frames: Int) {
        if isUnity { return }
        var index = 0
        while index < frames {
            if framesLeft > 0 {
                framesLeft -= 1
                gain = framesLeft == 0 ? target : gain + step
            }
            samples[2 * index] *= gain
            samples[2 * index + 1] *= gain
            index += 1
        }
    }
}
