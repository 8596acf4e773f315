import Glibc

/// What a mixer's element can do to a signal, in hundredths of a decibel, and which of that is full volume.
///
/// Full volume is 0 dB, at which a card passes samples as they are, or the most that an element has which does not reach
/// that. What an element could amplify beyond is left out: loud samples would be distorted.
package struct MixerScale: Sendable, Equatable {
    /// Where the scale begins: the softest step, which is silence for some elements.
    package let least: Int
    /// Full volume.
    package let full: Int

    /// - Parameters:
    ///   - least: the softest step.
    ///   - most: the loudest one, which is above it.
    package init(least: Int, most: Int) {
        self.least = least
        full = least < 0 ? min(most, 0) : most
    }

    /// Hundredths of a decibel at which the element multiplies samples by `amplitude`, 0 … 1; the softest step for what
    /// is softer than that.
    package func decibels(ofAmplitude amplitude: Double) -> Int {
        guard amplitude > 0 else { return least }
        let decibels = 2_000 * log10(min(amplitude, 1)) + Double(full)
        return max(Int(decibels.rounded(.down)), least)
    }

    /// The factor, 0 … 1, by which samples are multiplied there.
    package func amplitude(ofDecibels decibels: Int) -> Double {
        guard decibels > least || least > Self.silence else { return 0 }
        return min(pow(10, Double(decibels - full) / 2_000), 1)
    }

    /// Steps of so little are silence, as `SND_CTL_TLV_DB_GAIN_MUTE` is.
    private static let silence = -999_900
}
