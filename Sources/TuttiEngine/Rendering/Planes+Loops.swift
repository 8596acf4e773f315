package import TuttiEffects

/// The inner loops of the graph. They are written so that the compiler makes vectors of them, and round each sample in
/// the same way wherever a call begins.
///
/// RT: no allocation, no lock.
extension Planes {
    /// Silence in all channels.
    func clear(from start: Int, frames: Int) {
        var channel = 0
        while channel < count {
            (self[channel] + start).update(repeating: 0, count: frames)
            channel += 1
        }
    }

    /// Copies the first frames of another's channels, as many channels as both have; what is left is silent. One channel
    /// is copied to all.
    func copy(_ other: Planes, from offset: Int = 0, at start: Int = 0, frames: Int) {
        var channel = 0
        while channel < count {
            let source = other.count == 1 ? 0 : channel
            if source < other.count {
                (self[channel] + start).update(from: other[source] + offset, count: frames)
            } else {
                (self[channel] + start).update(repeating: 0, count: frames)
            }
            channel += 1
        }
    }

    /// Takes two channels from interleaved frames.
    package func take(stereo samples: UnsafePointer<Float>, frames: Int) {
        let (left, right) = (self[0], self[1])
        var frame = 0
        while frame < frames {
            left[frame] = samples[2 &* frame]
            right[frame] = samples[2 &* frame &+ 1]
            frame &+= 1
        }
    }

    /// Gives the first two channels as interleaved frames.
    package func interleave(into samples: UnsafeMutablePointer<Float>, frames: Int) {
        let (left, right) = (self[0], self[1])
        var frame = 0
        while frame < frames {
            samples[2 &* frame] = left[frame]
            samples[2 &* frame &+ 1] = right[frame]
            frame &+= 1
        }
    }

    /// Makes the mean of two channels.
    func mix(stereo other: Planes, frames: Int) {
        let (output, left, right) = (self[0], other[0], other[1])
        var frame = 0
        while frame < frames {
            output[frame] = 0.5 * (left[frame] + right[frame])
            frame &+= 1
        }
    }

    /// Sets samples that are not finite to 0, and counts them.
    func removeNonFinite(frames: Int) -> Int {
        var found = 0
        var channel = 0
        while channel < count {
            if Self.hasNonFinite(self[channel], frames) { found += Self.repair(self[channel], frames) }
            channel += 1
        }
        return found
    }

    /// An exponent of all ones carries into the sign's place when one is added to it.
    private static func hasNonFinite(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) -> Bool {
        var marks: UInt32 = 0
        var frame = 0
        while frame < frames {
            marks |= (samples[frame].bitPattern & 0x7fff_ffff) &+ 0x0080_0000
            frame &+= 1
        }
        return marks & 0x8000_0000 != 0
    }

    private static func repair(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) -> Int {
        var found = 0
        var frame = 0
        while frame < frames {
            if !samples[frame].isFinite {
                samples[frame] = 0
                found += 1
            }
            frame += 1
        }
        return found
    }
}
