import GRDB
import TuttiDatabase
package import TuttiSchema

/// Single entries, and how much there is.
extension LibraryStore {
    /// An album; nil where there is none.
    package func album(_ id: Int64) throws(LibraryError) -> LibraryAlbum? {
        try rows(Self.albumColumns + " WHERE album.id = ?", [id], LibraryPage(limit: 1), Self.album).first
    }

    /// An artist, album artist, genre or composer; nil where there is none.
    package func name(_ id: Int64) throws(LibraryError) -> LibraryName? {
        try rows(Self.nameColumns + " WHERE name.id = ?", [id], LibraryPage(limit: 1), Self.name).first
    }

    /// Tracks in the order of their ids, which are never used again.
    package func tracks(after id: Int64, limit: Int) throws(LibraryError) -> [LibraryTrack] {
        try rows(
            Self.trackColumns + " WHERE track.id > ? ORDER BY track.id", [id], LibraryPage(limit: limit), Self.track)
    }

    /// The tracks of a file by its path without links, of which a cue sheet has several; none for a file that is not in
    /// the library. No disk is asked, which might not answer.
    package func tracks(atPath path: String) throws(LibraryError) -> [LibraryTrack] {
        guard path.hasPrefix("/") else { return [] }
        let roots = try read { db in
            try Row.fetchAll(db.cachedStatement(sql: "SELECT id, path FROM root")).compactMap { row in
                (row.value("id") as Int64?).flatMap { id in (row.value("path") as String?).map { (id, $0) } }
            }
        }
        for (id, root) in roots {
            let prefix = root == "/" ? root : root + "/"
            guard path.hasPrefix(prefix) else { continue }
            var parts = path.dropFirst(prefix.count).split(separator: "/")
            guard let name = parts.popLast() else { continue }
            let tracks = try rows(
                "WITH one AS (\(Self.fileID)) " + Self.trackColumns + """
                     WHERE track.id IN (SELECT id FROM one UNION ALL SELECT id FROM part WHERE file IN one)
                    ORDER BY part.place
                    """,
                [id, parts.joined(separator: "/"), String(name)], LibraryPage(limit: LibraryLimits.page), Self.track)
            if !tracks.isEmpty { return tracks }
        }
        return []
    }

    private static let fileID = """
        SELECT file.id FROM file JOIN folder ON folder.id = file.folder
        WHERE folder.root = ? AND folder.path = ? AND file.name = ?
        """

    /// The track of a file, or of the part of it that begins at a place; nil for what is not in the library.
    ///
    /// - Parameter start: seconds into the file; nil for the whole of it, or for the first of its tracks.
    package func track(atPath path: String, start: Double? = nil) throws(LibraryError) -> LibraryTrack? {
        let tracks = try tracks(atPath: path)
        guard let start else { return tracks.first }
        return tracks.first { $0.part?.begins(at: start) ?? (start == 0) }
    }

    /// How much there is. It takes some milliseconds for 100 000 tracks.
    package func statistics() throws(LibraryError) -> LibraryListing.Statistics {
        try read { db in
            var statistics = LibraryListing.Statistics()
            let tracks = try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT count(*) AS tracks, total(duration) AS duration, max(added) AS added FROM track
                        """))
            statistics.tracks = tracks?.value("tracks") ?? 0
            statistics.duration = (tracks?.value("duration") ?? 0.0) / 1_000
            statistics.added = tracks?.value("added")
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db.cachedStatement(sql: sql)) ?? 0 }
            statistics.albums = try count("SELECT count(*) FROM album")
            statistics.artists = try count(
                "SELECT count(*) FROM name WHERE kind = \(LibraryName.Kind.artist.rawValue)")
            statistics.genres = try count("SELECT count(*) FROM name WHERE kind = \(LibraryName.Kind.genre.rawValue)")
            statistics.favourites = try count("SELECT count(*) FROM track WHERE isFavourite")
            statistics.revision = try Self.revision(db)
            return statistics
        }
    }

    /// A number that is another one whenever files have come, gone, changed or moved, whoever has scanned them.
    private static func revision(_ db: Database) throws -> Int64 {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT count(*) AS files, ifnull(max(id), 0) AS latest, ifnull(sum((modified / 1000000) & 0xFFFFFFFF), 0) AS modified,
                        ifnull(sum(folder), 0) AS folders,
                        (SELECT ifnull(sum(number), 0) FROM renaming) AS renamed,
                        (SELECT ifnull(sum(isReachable * id), 0) FROM root) AS reachable,
                        (SELECT group_concat(path, char(0)) FROM root) AS roots
                    FROM file
                    """))
        guard let row else { return 0 }
        // FNV-1a, and 53 bits of it: JSON's numbers are exact so far.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ text: String) {
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xff) &* 0x100_0000_01b3
        }
        for column in ["files", "latest", "modified", "folders", "renamed", "reachable"] {
            mix("\(row.value(column) as Int64? ?? 0)")
        }
        mix(row.value("roots") ?? "")
        return Int64(hash >> 11)
    }

    /// Makes the tracks of files favourites, or none.
    ///
    /// - Returns: the tracks.
    /// - Throws: `.nothingFound` for a file that is not in the library, and nothing is changed then; `.store`.
    package func markFavourites(
        _ files: [LibraryFile], ids: [Int64] = [], _ isFavourite: Bool
    ) throws(LibraryError) -> [LibraryListing.Track] {
        var all = ids
        for file in files {
            let tracks = try tracks(atPath: file.path).filter { track in
                file.start.map { track.part?.begins(at: $0) ?? ($0 == 0) } ?? true
            }
            guard !tracks.isEmpty else { throw .nothingFound(file.path) }
            all += tracks.map(\.id)
        }
        try setFavourites(all, isFavourite)
        var tracks: [LibraryListing.Track] = []
        for id in all { if let track = try track(id) { tracks.append(LibraryListing.Track(track)) } }
        return tracks
    }

    /// Makes tracks favourites, or none.
    ///
    /// - Throws: `.noSuchTrack`, and nothing is changed then; `.store`.
    package func setFavourites(_ tracks: [Int64], _ isFavourite: Bool) throws(LibraryError) {
        try write { db in
            let statement = try db.cachedStatement(sql: "UPDATE track SET isFavourite = ? WHERE id = ?")
            for track in tracks {
                try statement.execute(arguments: [isFavourite, track])
                if db.changesCount == 0 { throw LibraryError.noSuchTrack(track) }
            }
        }
    }
}
