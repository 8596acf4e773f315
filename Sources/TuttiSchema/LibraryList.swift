/// What of the library is listed.
package enum LibraryList: String, Sendable, CaseIterable {
    case albums, artists, composers, genres, years, tracks
    /// The tracks that came last, that were played last, that somebody likes.
    case added, played, favourites
    /// Whom albums are filed under.
    case albumArtists = "album-artists"
}

/// The order in which albums are listed.
package enum LibraryOrder: String, Sendable, CaseIterable {
    case title, artist, year, added, played
}

/// A part of a list: so many entries are skipped, and so many follow at most.
package struct LibrarySpan: Sendable, Equatable {
    /// Entries of a part, at most.
    package static let longest = 1_000
    /// Entries of a part where nobody says how many.
    package static let usual = 100

    package var offset: Int
    package var limit: Int

    /// A part; numbers out of range are brought into it.
    package init(offset: Int = 0, limit: Int = usual) {
        self.offset = min(max(0, offset), 1 << 40)
        self.limit = min(max(1, limit), Self.longest)
    }
}
