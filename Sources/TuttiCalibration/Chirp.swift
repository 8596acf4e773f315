import Glibc

/// The sound that is listened for: an exponential sweep from 500 Hz to 8 kHz in a tenth of a second, faded at both
/// ends.
///
/// Loudspeakers of every sort have this band, rooms do not swallow it, and its energy is spread over time, so that it
/// stands far above noise without being loud. Harmonics that a loudspeaker adds to a rising sweep appear before it, the
/// nearest by `duration · ln 2 / ln(highest / lowest)` = 25 ms.
package enum Chirp {
    /// Seconds.
    package static let duration = 0.1
    /// Hz at its beginning.
    package static let lowest = 500.0
    /// Hz at its end.
    package static let highest = 8_000.0

    /// Seconds of the raised-cosine fades: a tone that begins or ends at once would click.
    private static let fadeIn = 0.010
    private static let fadeOut = 0.004

    /// The sweep at `time` seconds from its beginning, −1 … 1; silence outside.
    package static func value(at time: Double) -> Double {
        guard time > 0, time < duration else { return 0 }
        let octaves = log(highest / lowest)
        let phase = 2 * Double.pi * lowest * duration / octaves * (exp(time / duration * octaves) - 1)
        let edge = min(time / fadeIn, (duration - time) / fadeOut, 1)
        return sin(phase) * (0.5 - 0.5 * cos(Double.pi * edge))
    }

    /// Hz at the end of what a recording of `sampleRate` frames a second holds of it.
    static func highest(sampleRate: Int) -> Double { min(highest, 0.45 * Double(sampleRate)) }

    /// The sweep at `sampleRate` frames a second, as far as that rate holds it.
    package static func samples(sampleRate: Int) -> [Double] {
        let end = highest(sampleRate: sampleRate)
        let seconds = end < highest ? duration * log(end / lowest) / log(highest / lowest) : duration
        return (0..<Int((seconds * Double(sampleRate)).rounded(.up))).map { value(at: Double($0) / Double(sampleRate)) }
    }
}
