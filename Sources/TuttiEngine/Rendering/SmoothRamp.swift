/// A gain that goes to its target along 3t² − 2t³, level at both ends, so that it is not heard.
///
/// RT: plain numbers. The gain of a frame does not depend on where calls begin.
struct SmoothRamp {
    private(set) var target: Float
    private var start: Float
    private var position = 0
    private var length = 0

    /// A ramp at rest.
    init(_ gain: Float) { (target, start) = (gain, gain) }

    /// Whether the gain stays.
    var isResting: Bool { position >= length }
    /// Frames until it does.
    var framesLeft: Int { length - position }
    /// The gain of the next frame.
    var gain: Float { isResting ? target : start + (target - start) * Self.curve(position, length) }

    /// Is at `gain` at once.
    mutating func jump(to gain: Float) { self = SmoothRamp(gain) }

    /// Goes to `gain` within `frames` frames, from where it is.
    mutating func go(to gain: Float, frames: Int) {
        guard gain != target else { return }
        (start, target, position, length) = (self.gain, gain, 0, max(1, frames))
    }

    mutating func advance(_ frames: Int) { position = min(length, position + frames) }

    @inline(__always)
    private static func curve(_ position: Int, _ length: Int) -> Float {
        let t = Float(position) / Float(length)
        return t * t * (3 - 2 * t)
    }

    /// Writes or adds `source` times the gain; does not advance, so that channels can follow each other.
    func apply(
        _ source: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, frames: Int, adding: Bool
    ) {
        var frame = 0
        let moving = min(frames, framesLeft)
        while frame < moving {
            let gain = start + (target - start) * Self.curve(position + frame, length)
            output[frame] = adding ? output[frame] + source[frame] * gain : source[frame] * gain
            frame += 1
        }
        let gain = target
        if adding {
            while frame < frames {
                output[frame] += source[frame] * gain
                frame &+= 1
            }
        } else if gain == 1 {
            (output + frame).update(from: source + frame, count: frames - frame)
        } else {
            while frame < frames {
                output[frame] = source[frame] * gain
                frame &+= 1
            }
        }
    }
}
