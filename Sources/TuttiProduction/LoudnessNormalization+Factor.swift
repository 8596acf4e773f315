package import TuttiAssets
package import TuttiCore

extension LoudnessNormalization {
    /// What samples of a track are multiplied with, by what is known of its loudness.
    package func factor(of loudness: TrackLoudness?) -> Float {
        GainRamp.amplitude(ofDecibels: gain(of: loudness ?? TrackLoudness()))
    }
}
