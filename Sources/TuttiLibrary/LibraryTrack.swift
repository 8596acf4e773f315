package import TuttiAssets
package import TuttiCore

/// A track of the library.
package struct LibraryTrack: Sendable, Equatable, Identifiable {
    package let id: Int64
    /// Where the file is.
    package let path: String
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
    /// What its tags say of that; nil for nothing.
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
    package var input: AssetInput { AssetInput(uri: path, title: title, artist: artist, album: album) }
}
