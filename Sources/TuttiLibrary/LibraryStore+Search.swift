import GRDB
import TuttiDatabase

/// What a search finds, the best first.
package struct LibraryResults: Sendable, Equatable {
    /// Artists, album artists and composers, each name once.
    package var artists: [LibraryName] = []
    package var albums: [LibraryAlbum] = []
    package var tracks: [LibraryTrack] = []

    /// Whether nothing was found.
    package var isEmpty: Bool { artists.isEmpty && albums.isEmpty && tracks.isEmpty }
}

extension LibraryStore {
    /// Artists, albums and tracks in whose texts all words begin one, whatever case and accents: as is typed.
    ///
    /// First come those that begin with what was typed, then those that have it in their title, then in album or
    /// artist, then anywhere. Each step stops at its limit, so one letter is not slower than a name: how many times a
    /// word occurs, as in BM25, would have to be counted through the whole index.
    ///
    /// - Parameter limit: of each kind, at most `LibraryLimits.page`.
    package func search(_ text: String, limit: Int = 20) throws(LibraryError) -> LibraryResults {
        guard let words = SearchWords(text) else { return LibraryResults() }
        let limit = LibraryPage(limit: limit).limit
        return try read { db in
            var results = LibraryResults()
            let names = try Self.ids(
                of: "name", "nameText", words, limit: 3 * limit, columns: [nil], db,
                filter: "AND name.kind <> \(LibraryName.Kind.genre.rawValue)")
            results.artists = try Self.distinct(
                Self.fetch(names, Self.nameColumns + " WHERE name.id = ?", db, Self.name), limit: limit)
            let albums = try Self.ids(
                of: "album", "albumText", words, limit: limit, columns: ["title", nil], db)
            results.albums = try Self.fetch(albums, Self.albumColumns + " WHERE album.id = ?", db, Self.album)
            let tracks = try Self.ids(
                of: "track", "trackText", words, limit: limit,
                columns: ["title", "title artist album albumArtist", nil], db)
            results.tracks = try Self.fetch(tracks, Self.trackColumns + " WHERE track.id = ?", db, Self.track)
            return results
        }
    }

    /// The ids of rows that match, each once, the best first.
    private static func ids(
        of table: String, _ index: String, _ words: SearchWords, limit: Int, columns: [String?], _ db: Database,
        filter: String = ""
    ) throws -> [Int64] {
        var ids = try Int64.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM \(table) WHERE sort >= ? AND sort < ? \(filter) ORDER BY sort LIMIT \(limit)
                    """), arguments: [words.key, words.keyEnd])
        var seen = Set(ids)
        for columns in columns where ids.count < limit {
            let join = filter.isEmpty ? "" : "JOIN \(table) ON \(table).id = \(index).rowid"
            let found = try Int64.fetchAll(
                db.cachedStatement(
                    sql: "SELECT \(index).rowid FROM \(index) \(join) WHERE \(index) MATCH ? \(filter) LIMIT \(limit)"),
                arguments: [words.expression(in: columns)])
            for id in found where ids.count < limit && seen.insert(id).inserted { ids.append(id) }
        }
        return ids
    }

    private static func fetch<Value>(
        _ ids: [Int64], _ sql: String, _ db: Database, _ value: (Row) -> Value?
    ) throws -> [Value] {
        let statement = try db.cachedStatement(sql: sql)
        return try ids.compactMap { id in try Row.fetchOne(statement, arguments: [id]).flatMap(value) }
    }

    private static func distinct(_ names: [LibraryName], limit: Int) -> [LibraryName] {
        var seen: Set<String> = []
        return Array(names.filter { seen.insert(LibraryText.key($0.name)).inserted }.prefix(limit))
    }
}
