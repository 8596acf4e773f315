import Glibc

/// Mixes the tail of one track with the beginning of the next at equal power: the tail follows a cosine, the beginning
/// a sine. So the sum of two unrelated sounds stays as loud as they are.
package struct Crossfade {
    /// The longest that can be asked for, and none, in seconds of the timeline.
    package static let seconds = 0.0...12.0

    /// Frames from where the tail plays alone to where the beginning does.
    private let frameCount: Int
    private var position: Int

    /// A crossfade of so many frames, from number `position` of them on.
    package init(frameCount: Int, from position: Int = 0) {
        self.frameCount = frameCount
        self.position = position
    }

    /// Frames that are still to be mixed.
    package var remaining: Int { max(0, frameCount - position) }

    /// The sum of the next frames of both, interleaved stereo of the same length, at most `remaining` frames.
    package mutating func mix(ending: [Float], beginning: [Float]) -> [Float] {
        precondition(ending.count == beginning.count && ending.count % 2 == 0, "stereo is mixed frame by frame")
        let count = ending.count / 2
        precondition(count <= remaining, "a crossfade is mixed beyond its end")
        var mixed = [Float](repeating: 0, count: 2 * count)
        for frame in 0..<count {
            let angle = Double(position + frame) / Double(frameCount) * (Double.pi / 2)
            let (falling, rising) = (Float(cos(angle)), Float(sin(angle)))
            mixed[2 * frame] = ending[2 * frame] * falling + beginning[2 * frame] * rising
            mixed[2 * frame + 1] = ending[2 * frame + 1] * falling + beginning[2 * frame + 1] * rising
        }
        position += count
        return mixed
    }
}
