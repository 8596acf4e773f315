package import TuttiCore

/// A player's queue as `tutti queue --json` prints it. The names are those of `docs/json.md`.
package struct QueueListing: Sendable, Equatable, Codable {
    /// One entry; what is not known is left out.
    package struct Entry: Sendable, Equatable, Codable {
        /// Its place, from 0.
        package var index: Int
        /// Stays the entry's own wherever it is moved.
        package var id: UInt64
        /// What was asked for.
        package var uri: String
        /// Seconds into the file where it begins, for a part of one.
        package var start: Double?
        /// From its tags, or its list.
        package var title: String?
        /// From its tags, or its list.
        package var artist: String?
        /// From its tags, or its list.
        package var album: String?
        /// Seconds.
        package var duration: Double?
        /// Why it could not be played, or not to its end.
        package var failure: String?

        /// An entry.
        package init(
            index: Int, id: UInt64, uri: String, title: String? = nil, artist: String? = nil, album: String? = nil,
            duration: Double? = nil, failure: String? = nil
        ) {
            self.index = index
            self.id = id
            self.uri = uri
            self.title = title
            self.artist = artist
            self.album = album
            self.duration = duration
            self.failure = failure
        }
    }

    /// The entries in the order of play.
    package var entries: [Entry]
    /// The place of the entry that is heard.
    package var index: Int?
    /// What follows the end.
    package var `repeat`: RepeatMode
    /// Whether the order is a shuffled one.
    package var shuffle: Bool
    /// Whether entries leave once they are over.
    package var consume: Bool
    /// Seconds that the ending of a piece and the beginning of the next are heard together at most; 0 for none.
    package var crossfade: Double
    /// What is made equally loud; nil from a service of an older version.
    package var normalise: LoudnessNormalization?
    /// Whether there is less difference between loud and soft; nil from a service of an older version.
    package var night: Bool?
    /// Which audio track of films plays: `auto`, a number or a language; nil from a service of an older version.
    package var audioTrack: String?
    /// Which subtitles are shown: `off`, `auto`, a number, a language or a file; nil likewise.
    package var subtitle: String?

    /// A listing.
    package init(
        entries: [Entry], index: Int? = nil, `repeat`: RepeatMode, shuffle: Bool, consume: Bool, crossfade: Double,
        normalise: LoudnessNormalization? = nil, night: Bool? = nil, tracks: TrackChoices? = nil
    ) {
        self.entries = entries
        self.index = index
        self.repeat = `repeat`
        self.shuffle = shuffle
        self.consume = consume
        self.crossfade = crossfade
        self.normalise = normalise
        self.night = night
        (audioTrack, subtitle) = (tracks?.audio.description, tracks?.subtitle.description)
    }
}
