package import TuttiCore

/// What a file says of itself, for a library: read without decoding anything.
///
/// Texts are one line without control characters, at most 1 024 characters.
package struct AssetTags: Sendable, Equatable {
    /// The track's title.
    package var title: String?
    /// Who plays; several are separated by `;`.
    package var artist: String?
    /// Whom the album is filed under.
    package var albumArtist: String?
    /// The album's name.
    package var album: String?
    /// The number of the disc in its set, 1 … 9 999.
    package var disc: Int?
    /// The number of the track on its disc, 1 … 9 999.
    package var track: Int?
    /// The year of the recording, 1000 … 2999.
    package var year: Int?
    /// Kinds of music; several are separated by `;`.
    package var genre: String?
    /// Who wrote it; several are separated by `;`.
    package var composer: String?
    /// The work that the track is a part of.
    package var work: String?
    /// Whether its album is one of various artists.
    package var isCompilation = false
    /// Length; nil when nothing tells.
    package var duration: MediaTime?
    /// How loud it is; nil when nothing is known of that.
    package var loudness: TrackLoudness?
    /// The tracks inside, by a cue sheet in the file's tags.
    package var cueSheet: CueSheet?
    /// The size of the picture inside the file, in bytes; 0 without one.
    package var artworkBytes = 0
    /// Whether a text was not UTF-8, and was taken for Windows-1252.
    package var isGuessed = false

    /// Nothing is known.
    package init() {}

    /// Whether the picture inside can be shown.
    package var hasArtwork: Bool { (1...AssetInfo.Artwork.maximumBytes).contains(artworkBytes) }
    /// Whether there is a picture inside that is too large to be shown.
    package var hasHugeArtwork: Bool { artworkBytes > AssetInfo.Artwork.maximumBytes }

    package static let numbers = 1...9_999
    static let years = 1_000...2_999

    /// The year in a date such as `1977`, `1977-03-14` or `14.3.1977`: the first four digits in a row that are one.
    static func year(in date: String) -> Int? {
        let runs = date.split { !($0.isASCII && $0.isNumber) }
        return runs.lazy.compactMap { Int($0.prefix(4)) }.first { years.contains($0) }
    }

    /// Whether a tag means yes.
    static func isSet(_ flag: String?) -> Bool { flag.map { ["1", "true", "yes"].contains($0.lowercased()) } ?? false }
}
