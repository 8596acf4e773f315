import Glibc

/// The sound that a room's frequency response is measured with: silence, a chirp, silence, an exponential sine sweep, a
/// chirp.
///
/// The sweep rises by a constant number of octaves a second (A. Farina, "Simultaneous measurement of impulse response and
/// distortion with a swept-sine technique", AES 108, 2000): low frequencies get most of the energy, and what a
/// loudspeaker distorts appears before the sound itself, the harmonic of order k by `octaveSeconds` · log₂ k. The two
/// chirps show where the sweep lies in a recording, how fast the recorder's clock is, and whether its level moved.
package enum ResponseSweep {
    /// Frames a second of `samples`.
    package static let sampleRate = 48_000
    /// Hz between which the sweep has its full level.
    package static let band = 20.0...20_000.0
    /// Peak of sweep and chirps, −12 dB of full scale: loud enough, and no loudspeaker is hurt.
    package static let amplitude = 0.25

    /// Hz at which the sweep's fade-in begins and its fade-out ends.
    static let lowest = 12.0
    static let highest = 21_000.0
    /// Seconds of the sweep with its fades.
    static let duration = 6.0
    /// Seconds from the file's beginning to its parts. Rooms that have just met settle on the clock first. Before the
    /// sweep, the chirp dies away in 0.75 s, and the rest tells the noise.
    static let firstChirp = 2.0
    static let start = 3.8
    static let secondChirp = 11.0
    /// Seconds altogether.
    package static let totalSeconds = 12.0

    /// Seconds that the sweep takes for a factor of e.
    static let rate = duration / log(highest / lowest)
    /// Seconds that it takes for an octave.
    package static let octaveSeconds = rate * log(2.0)

    /// Seconds from the sweep's beginning to a frequency in Hz.
    static func instant(of frequency: Double) -> Double { rate * log(frequency / lowest) }

    /// The sweep at `time` seconds from its beginning, −1 … 1; silence outside.
    package static func value(at time: Double) -> Double {
        guard time > 0, time < duration else { return 0 }
        let phase = 2 * Double.pi * lowest * rate * (exp(time / rate) - 1)
        let rise = time / instant(of: band.lowerBound)
        let fall = (duration - time) / (duration - instant(of: band.upperBound))
        return sin(phase) * (0.5 - 0.5 * cos(Double.pi * min(rise, fall, 1)))
    }

    /// All of it, one channel, full scale at ±1.
    package static func samples() -> [Float] {
        (0..<Int(totalSeconds * Double(sampleRate))).map { frame in
            let time = Double(frame) / Double(sampleRate)
            let chirps = Chirp.value(at: time - firstChirp) + Chirp.value(at: time - secondChirp)
            return Float(amplitude * (value(at: time - start) + chirps))
        }
    }

    /// A WAV file of it: two channels, both alike.
    package static func waveFile() -> [UInt8] {
        WaveBytes.encode(samples(), sampleRate: sampleRate, channelCount: 2)
    }
}
