package import TuttiAssets

/// What was measured of a track, and of what it was measured.
package struct MeasuredTrack: Sendable, Equatable {
    /// What a measurement after EBU R128 gives; nil values for silence.
    package struct Figures: Sendable, Equatable {
        /// Integrated loudness in LUFS.
        package var integrated: Double?
        /// Loudness range in LU.
        package var range: Double?
        /// The highest true peak in dBTP.
        package var peak: Double?

        /// Figures.
        package init(integrated: Double?, range: Double?, peak: Double?) {
            (self.integrated, self.range, self.peak) = (integrated, range, peak)
        }

        var measure: TrackLoudness.Measure? { integrated.map { TrackLoudness.Measure(integrated: $0, peak: peak) } }
    }

    /// The album that a track belongs to.
    package struct Album: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// How many tracks were measured for it.
        package var trackCount: Int
        /// All of them as one.
        package var figures: Figures

        /// An album.
        package init(name: String, trackCount: Int, figures: Figures) {
            (self.name, self.trackCount, self.figures) = (name, trackCount, figures)
        }
    }

    /// The file as it was measured.
    package var file: FileStamp
    /// Of the track.
    package var figures: Figures
    /// Nil for a track of none.
    package var album: Album?

    /// A measured track.
    package init(file: FileStamp, figures: Figures, album: Album?) {
        (self.file, self.figures, self.album) = (file, figures, album)
    }

    /// What players make of it.
    package var loudness: TrackLoudness { TrackLoudness(track: figures.measure, album: album?.figures.measure) }
}
