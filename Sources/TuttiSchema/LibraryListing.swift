/// What a service answers of its library: only what was asked for is there. The names are those of `docs/json.md`.
package struct LibraryListing: Sendable, Equatable, Codable {
    /// Artists, album artists, composers or genres; of a search, each name once.
    package var names: [Name]?
    package var albums: [Album]?
    package var tracks: [Track]?
    package var years: [Year]?
    package var roots: [Root]?
    package var statistics: Statistics?
    /// What clients have noted of tracks.
    package var stickers: [Sticker]?
    /// Whether the list goes on after these entries.
    package var more: Bool?

    package init() {}
}

extension LibraryListing {
    /// A track.
    package struct Track: Sendable, Equatable, Codable {
        package var kind = "track"
        package var id: Int64
        /// Where the file is on the service's host.
        package var path: String
        /// Where in the file it begins, for a track of a cue sheet: a count and how many of them make a second.
        package var start: [Int64]?
        /// Where in the file it ends, likewise; nil for the file's own end.
        package var end: [Int64]?
        package var title: String
        package var artist: String?
        package var albumArtist: String?
        package var album: String?
        /// The album's `id`.
        package var albumId: Int64?
        package var disc: Int?
        /// On its disc.
        package var number: Int?
        package var year: Int?
        package var genre: String?
        package var composer: String?
        package var work: String?
        /// Seconds.
        package var duration: Double?
        /// LUFS, as it was measured, or from its tags.
        package var loudness: Double?
        /// Whether there is a picture in the file or its folder.
        package var artwork = false
        /// When it came to the library, in seconds since 1970.
        package var added: Int64 = 0
        /// When it was played last, in seconds since 1970.
        package var lastPlayed: Int64?
        package var playCount = 0
        package var favourite = false
        /// Seconds into it where it is resumed.
        package var resume: Double?
        /// Whether its folder can be read.
        package var reachable = true

        package init(id: Int64, path: String, title: String) { (self.id, self.path, self.title) = (id, path, title) }
    }

    /// An album.
    package struct Album: Sendable, Equatable, Codable {
        package var kind = "album"
        package var id: Int64
        package var title: String
        /// Whom it is filed under.
        package var artist: String?
        package var compilation = false
        package var year: Int?
        /// How many.
        package var tracks = 0
        package var discs = 1
        /// Seconds.
        package var duration = 0.0
        /// When its newest track came to the library, in seconds since 1970.
        package var added: Int64 = 0
        /// When a track of it was played last, in seconds since 1970.
        package var lastPlayed: Int64?
        /// Whether its folder can be read.
        package var reachable = true

        package init(id: Int64, title: String) { (self.id, self.title) = (id, title) }
    }

    /// An artist, album artist, composer or genre.
    package struct Name: Sendable, Equatable, Codable {
        /// `artist`, `albumArtist`, `composer` or `genre`.
        package var kind: String
        package var id: Int64
        package var name: String
        /// How many.
        package var tracks: Int

        package init(kind: String, id: Int64, name: String, tracks: Int) {
            (self.kind, self.id, self.name, self.tracks) = (kind, id, name, tracks)
        }
    }

    /// What a client has noted of a track.
    package struct Sticker: Sendable, Equatable, Codable {
        /// The track's.
        package var id: Int64
        package var name: String
        package var value: String

        package init(id: Int64, name: String, value: String) { (self.id, self.name, self.value) = (id, name, value) }
    }

    /// A year.
    package struct Year: Sendable, Equatable, Codable {
        package var kind = "year"
        package var year: Int
        /// How many.
        package var tracks: Int

        package init(year: Int, tracks: Int) { (self.year, self.tracks) = (year, tracks) }
    }

    /// A folder of the library.
    package struct Root: Sendable, Equatable, Codable {
        package var path: String
        /// How many.
        package var tracks: Int
        /// Whether it can be read.
        package var reachable: Bool
        /// When it was scanned last, in seconds since 1970.
        package var scanned: Int64?

        package init(path: String, tracks: Int, reachable: Bool, scanned: Int64?) {
            (self.path, self.tracks, self.reachable, self.scanned) = (path, tracks, reachable, scanned)
        }
    }

    /// How much there is.
    package struct Statistics: Sendable, Equatable, Codable {
        package var tracks = 0
        package var albums = 0
        package var artists = 0
        package var genres = 0
        package var favourites = 0
        /// Seconds.
        package var duration = 0.0
        /// When the newest track came, in seconds since 1970; nil for an empty library.
        package var added: Int64?
        /// Another number whenever files have come, gone or changed.
        package var revision: Int64 = 0

        package init() {}
    }
}
