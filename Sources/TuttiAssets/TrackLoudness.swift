/// How loud a track and its album are, as measured or as tags say.
package struct TrackLoudness: Sendable, Equatable, Codable {
    /// What a measurement after EBU R128 and ITU-R BS.1770 gives.
    package struct Measure: Sendable, Equatable, Codable {
        /// Integrated loudness in LUFS.
        package var integrated: Double
        /// The highest peak in dBTP, or that of the samples in dBFS where tags know no other; nil when unknown.
        package var peak: Double?

        /// Loudness in LUFS, and the peak in dBTP.
        package init(integrated: Double, peak: Double? = nil) {
            self.integrated = integrated
            self.peak = peak
        }

        /// What sound can be: silence is below the gate and has no loudness.
        private static let plausible = -100.0...50.0

        var isPlausible: Bool {
            Self.plausible.contains(integrated) && peak.map { $0 <= Self.plausible.upperBound } ?? true
        }
    }

    /// Of the track; nil when unknown.
    package var track: Measure?
    /// Of all tracks of its album as one; nil when unknown, or for a track of none.
    package var album: Measure?

    /// Loudness of a track and its album; nothing is known of it by default.
    package init(track: Measure? = nil, album: Measure? = nil) {
        self.track = track
        self.album = album
    }

    /// Whether the figures are such as sound has.
    package var isPlausible: Bool { track?.isPlausible ?? true && album?.isPlausible ?? true }
}
