package import TuttiCore

extension LoudnessNormalization {
    /// The loudness that everything is brought to, in LUFS: that of ReplayGain 2.0.
    package static let reference = -18.0
    /// What is taken for the loudness of a track that nothing is known of, in LUFS: most music is mastered about that
    /// loud.
    package static let assumed = -14.0
    /// What no peak that is known exceeds, in dBTP: the recommendation of EBU R128, which leaves room for lossy codecs.
    package static let ceiling = -1.0
    /// Decibels that a track is changed by at most. More would only raise the noise of what is meant to be quiet.
    package static let gains = -40.0...12.0

    /// Decibels that a track of this loudness is changed by.
    ///
    /// A peak that would exceed the ceiling lowers the gain, for all of an album alike. Where the peak is not known,
    /// sound is turned down only.
    package func gain(of loudness: TrackLoudness) -> Double {
        let measure: TrackLoudness.Measure?
        switch self {
        case .off: return 0
        case .track: measure = loudness.track ?? loudness.album
        case .album: measure = loudness.album ?? loudness.track
        }
        guard let measure, measure.isPlausible else { return Self.reference - Self.assumed }
        let wanted = min(Self.reference - measure.integrated, Self.ceiling - (measure.peak ?? Self.ceiling))
        return min(max(wanted, Self.gains.lowerBound), Self.gains.upperBound)
    }
}
