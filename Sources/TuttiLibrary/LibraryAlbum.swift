package import TuttiCore

/// An album, with all of its discs.
package struct LibraryAlbum: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let title: String
    /// Whom it is filed under; nil when nothing is known.
    package let artist: String?
    /// Whether it is one of various artists.
    package let isCompilation: Bool
    /// The latest year of its tracks.
    package let year: Int?
    package let trackCount: Int
    /// At least 1.
    package let discCount: Int
    /// Of all tracks whose lengths are known.
    package let duration: MediaTime
    /// Whether a track has a picture inside; there may be one in its folder too.
    package let hasArtwork: Bool
    /// When its newest track came to the library, in seconds since 1970.
    package let added: Int64
    /// When a track of it was played last, in seconds since 1970; nil for never.
    package let lastPlayed: Int64?
    /// Whether its folder could be read when it was looked at last.
    package let isReachable: Bool
}
