import Foundation

/// What became of a sine on its way to the card.
package struct ToneReport: Codable, Sendable, Equatable {
    /// A line of the spectrum.
    package struct Line: Codable, Sendable, Equatable {
        /// Its frequency, Hz.
        package var frequency: Double
        /// Its level against the tone, dB.
        package var decibels: Double
    }

    /// Frames a second of the recording.
    package var sampleRate: Int
    /// Seconds that were analysed.
    package var seconds: Double
    /// The tone's frequency in the recording, Hz.
    package var frequency: Double
    /// The tone's level, dB below a full-scale sine.
    package var level: Double
    /// The tone against all the rest from 20 Hz to 20 kHz, dB; what lies within the notch around the tone does not
    /// count.
    package var sinad: Double
    /// The tone against what is left when the one sine that fits best is taken away: slow wander counts here, dB.
    package var fitSinad: Double
    /// The harmonics up to 20 kHz against the tone, dB; nil when none lies there.
    package var distortion: Double?
    /// The strongest line outside the notch.
    package var strongestLine: Line
    /// The strongest line within 500 Hz of the tone and outside the notch: a modulation.
    package var strongestSideBand: Line
    /// How far the tone's phase strays from a straight line, rms and at most, in nanoseconds (tenths of a second).
    package var wanderRMS: Double
    package var wanderPeak: Double

    /// The report in lines for people.
    package var table: String {
        func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
        func text(_ line: Line) -> String {
            "\(text(line.decibels, 1)) dB at \(text(line.frequency, 2)) Hz (\(text(line.frequency - frequency, 2)) Hz off)"
        }
        return """
            tone           \(text(frequency, 6)) Hz, \(text(level, 3)) dBFS, \(text(seconds, 1)) s at \(sampleRate) Hz
            SINAD          \(text(sinad, 1)) dB (20 Hz – 20 kHz)
            one sine's fit \(text(fitSinad, 1)) dB
            harmonics      \(distortion.map { text($0, 1) + " dB" } ?? "none below 20 kHz")
            strongest line \(text(strongestLine))
            side-band      \(text(strongestSideBand))
            phase wander   \(text(wanderRMS, 2)) ns rms, \(text(wanderPeak, 2)) ns peak
            """
    }
}
