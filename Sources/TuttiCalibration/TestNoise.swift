import TuttiCore

/// Noise for a measurement where no music plays: pink, so that it is bearable and has something to say at all
/// frequencies.
package enum TestNoise {
    /// Frames a second.
    package static let sampleRate = 48_000

    /// RMS, full scale at 1: −23 dB.
    private static let level = 0.07
    /// Seconds in which it comes and goes.
    private static let fade = 0.1

    /// `seconds` of it, full scale at ±1. It never repeats, and is the same each time.
    package static func samples(seconds: Double) -> [Float] {
        let count = Int(max(0, seconds) * Double(sampleRate))
        var random = SplitMix64(seed: 0x7A17)
        // Three poles, after P. Kellet: −3 dB an octave within half a dB from 40 Hz on.
        var (slow, middle, fast) = (0.0, 0.0, 0.0)
        let edge = fade * Double(sampleRate)
        return (0..<count).map { frame in
            let white = Double(Int64(bitPattern: random.next()) >> 11) * 0x1p-52
            slow = 0.99765 * slow + white * 0.0990460
            middle = 0.96300 * middle + white * 0.2965164
            fast = 0.57000 * fast + white * 1.0526913
            let pink = slow + middle + fast + white * 0.1848
            let gain = min(1, Double(frame) / edge, Double(count - 1 - frame) / edge)
            return Float(min(max(level * pink * gain * 0.9, -0.95), 0.95))
        }
    }
}
