package import TuttiAssets
package import TuttiCore

/// A part of the library to be played, as people write it: `album:NAME`, `artist:NAME`, `genre:NAME`, `composer:NAME`,
/// `year:YEAR` or `search:WORDS`.
package struct LibraryQuery: Sendable, Equatable {
    /// What it asks for.
    package let kind: InputName.Kind
    package let text: String

    /// Nil for what is no such text: a station, a file or an address.
    package init?(_ argument: String) { self.init(name: InputName(argument)) }

    /// Nil for what the library has nothing to do with.
    package init?(name: InputName?) {
        guard let name, ![.station, .playlist].contains(name.kind), let text = LibraryText.clean(name.text) else {
            return nil
        }
        (kind, self.text) = (name.kind, text)
    }

    /// The files that it means, in the order in which they are played; those of folders that are not there now are left
    /// out.
    ///
    /// An album or name that does not exist as written is looked for by its words.
    ///
    /// - Throws: `.nothingFound`, `.store`.
    package func inputs(in library: LibraryStore) throws(LibraryError) -> [AssetInput] {
        let tracks = try tracks(in: library).filter(\.isReachable)
        guard !tracks.isEmpty else { throw .nothingFound("\(kind.rawValue):\(text)") }
        return tracks.map(\.input)
    }

    /// Tracks that are taken at most.
    private static let maximumTracks = 10_000

    private func tracks(in library: LibraryStore) throws(LibraryError) -> [LibraryTrack] {
        switch kind {
        case .station, .playlist, .input: return []
        case .album: return try album(in: library)
        case .artist: return try all(of: artist(in: library), in: library)
        case .genre: return try all(of: library.name(.genre, called: text), in: library)
        case .composer: return try all(of: library.name(.composer, called: text), in: library)
        case .year:
            guard let year = Int(text) else { return [] }
            let albums = try library.albums(ofYear: year, LibraryPage(limit: LibraryLimits.page))
            return try Self.tracks(of: albums, in: library)
        case .search: return try library.search(text, limit: LibraryLimits.page).tracks
        }
    }

    private func album(in library: LibraryStore) throws(LibraryError) -> [LibraryTrack] {
        var album = try library.albums(called: text).first
        if album == nil { album = try library.search(text, limit: 1).albums.first }
        guard let album else { return [] }
        return try library.tracks(ofAlbum: album.id)
    }

    private func artist(in library: LibraryStore) throws(LibraryError) -> LibraryName? {
        for kind in [LibraryName.Kind.albumArtist, .artist] {
            if let name = try library.name(kind, called: text) { return name }
        }
        return try library.search(text, limit: 1).artists.first
    }

    private func all(of name: LibraryName?, in library: LibraryStore) throws(LibraryError) -> [LibraryTrack] {
        guard let name else { return [] }
        var tracks: [LibraryTrack] = []
        while tracks.count < Self.maximumTracks {
            let page = try library.tracks(
                of: name.id, LibraryPage(offset: tracks.count, limit: LibraryLimits.page))
            tracks += page
            if page.count < LibraryLimits.page { break }
        }
        return tracks.sorted { one, other in
            let (left, right) = (Self.place(one), Self.place(other))
            return left == right ? one.path < other.path : left.lexicographicallyPrecedes(right)
        }
    }

    /// By year, album, disc and number.
    private static func place(_ track: LibraryTrack) -> [Int64] {
        [
            Int64(track.year ?? 9_999), track.albumID ?? .max, Int64(track.disc ?? 0), Int64(track.number ?? 0),
        ]
    }

    private static func tracks(
        of albums: [LibraryAlbum], in library: LibraryStore
    ) throws(LibraryError) -> [LibraryTrack] {
        var tracks: [LibraryTrack] = []
        for album in albums where tracks.count < maximumTracks { tracks += try library.tracks(ofAlbum: album.id) }
        return tracks
    }
}
