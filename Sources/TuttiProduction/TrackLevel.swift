package import TuttiAssets
package import TuttiCore

/// What decides how much louder or softer a track is made than it is.
package enum TrackLevel: Sendable {
    /// Looks up how loud an input is by what was measured before; nil when that is not known. Called on the producer's
    /// thread.
    package typealias Lookup = @Sendable (AssetInput) -> TrackLoudness?

    /// What is known of the loudness.
    package enum Source: Sendable {
        /// What was measured, else what the track's tags say.
        case lookedUp(Lookup?)
        /// This: the track continues as it began, whatever has been measured meanwhile.
        case known(TrackLoudness)
    }

    /// Samples are multiplied with this.
    case gain(Float)
    /// It is as loud as others are. What comes before ends at another gain, where that is given.
    case normalized(LoudnessNormalization, Source, after: Float? = nil)
}
