package import TuttiAssets
package import TuttiCore

/// A track of the library.
package struct LibraryTrack: Sendable, Equatable, Identifiable {
    /// Which part of a file a track of a cue sheet is, in 75ths of a second.
    package struct Part: Sendable, Equatable {
        package let begin: Int64
        /// Nil for the file's end.
        package let finish: Int64?

        /// How many units are a second.
        package static let timescale: Int32 = 75

        /// Whether it begins at a place, in seconds.
        package func begins(at seconds: Double) -> Bool { abs(Double(begin) / Double(Self.timescale) - seconds) < 1e-3 }
    }

    package let id: Int64
    /// Where the file is.
    package let path: String
    /// The part of the file that it is; nil for all of it.
    package let part: Part?
    /// From the tags, else the file's name.
    package let title: String
    package let artist: String?
    package let albumArtist: String?
    package let album: String?
    package let albumID: Int64?
    package let disc: Int?
    /// On its disc.
    package let number: Int?
    package let year: Int?
    package let genre: String?
    package let composer: String?
    package let work: String?
    /// Nil when nothing tells.
    package let duration: MediaTime?
    /// Whether there is a picture in the file or in its folder.
    package let hasArtwork: Bool
    /// What was measured, or what its tags say of that; nil for nothing.
    package let loudness: TrackLoudness?
    /// When it came to the library, in seconds since 1970.
    package let added: Int64
    /// When it was played last, in seconds since 1970; nil for never.
    package let lastPlayed: Int64?
    package let playCount: Int
    package let isFavourite: Bool
    /// Where it goes on when it is played again; nil for the beginning.
    package let resume: MediaTime?
    /// Whether its folder could be read when it was looked at last.
    package let isReachable: Bool

    /// What plays it.
    package var input: AssetInput {
        var input = AssetInput(uri: path, title: title, artist: artist, album: album)
        if let part {
            input.track = number
            input.start = MediaTime(value: part.begin, timescale: Part.timescale) ?? .zero
            input.end = part.finish.flatMap { MediaTime(value: $0, timescale: Part.timescale) }
        }
        return input
    }
}
