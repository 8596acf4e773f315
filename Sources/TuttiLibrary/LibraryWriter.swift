import GRDB
import Glibc
import TuttiAssets
import TuttiCore
import TuttiDatabase

/// What a scan changes in the store, inside of one transaction.
struct LibraryWriter {
    private let db: Database
    private let root: (id: Int64, path: String)
    private let scan: Int64
    private let now: Int64
    private var folders: [String: Int64] = [:]
    private var names: [String: Int64] = [:]
    private var albums: [String: Int64] = [:]
    /// Albums whose tracks have changed.
    private var touched: Set<Int64> = []

    init(_ db: Database, root: (id: Int64, path: String), scan: Int64) {
        (self.db, self.root, self.scan, now) = (db, root, scan, LibraryStore.now)
    }

    /// Stores a batch.
    mutating func store(_ batch: ScanBatch) throws {
        let ids = try batch.folders.map { try id(of: $0) }
        for id in batch.missing {
            try run("UPDATE file SET missing = ? WHERE id = ?", [scan, id])
        }
        for (number, (file, outcome)) in zip(batch.files, batch.outcomes).enumerated() {
            guard ids.indices.contains(file.folder) else { continue }
            let folder = (id: ids[file.folder], path: batch.folders[file.folder].path)
            switch outcome {
            case .unreadable: break
            case .damaged(let reason): _ = try id(of: file, in: folder.id, flaw: reason)
            case .sheet: _ = try id(of: file, in: folder.id, flaw: nil)
            case .tags(let tags):
                let id = try id(of: file, in: folder.id, flaw: nil)
                let parts = batch.parts[number] ?? []
                try store(parts, of: id, named: file.file.name, in: folder.path)
                if parts.isEmpty { try store(tags, of: id, named: file.file.name, in: folder.path) }
            }
        }
        try updateAlbums()
    }

    // MARK: Folders and files

    /// Another process may scan at the same time: what it has seen later stays seen.
    private mutating func id(of folder: ScanBatch.Folder) throws -> Int64 {
        var parent: Int64?
        if let path = folder.parent { parent = try folders[path] ?? self.folder(path) }
        let id = try first(
            """
            INSERT INTO folder (root, parent, path, hasArtwork, isMount, seen, listed) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (root, path) DO UPDATE SET
                parent = excluded.parent, seen = max(seen, excluded.seen),
                hasArtwork = CASE WHEN excluded.listed THEN excluded.hasArtwork ELSE hasArtwork END,
                isMount = CASE WHEN excluded.listed THEN excluded.isMount ELSE isMount END,
                listed = max(listed, excluded.listed)
            RETURNING id
            """,
            [
                root.id, parent, folder.path, folder.hasArtwork, folder.isMount, scan, folder.isListed ? scan : 0,
            ])
        folders[folder.path] = id
        return id ?? 0
    }

    private func folder(_ path: String) throws -> Int64? {
        try first("SELECT id FROM folder WHERE root = ? AND path = ?", [root.id, path])
    }

    /// The id of a file, which is stored; that of one with the same content which has left its place, where there is
    /// one: it was moved.
    private func id(of file: ScanBatch.File, in folder: Int64, flaw: String?) throws -> Int64 {
        let content = file.file
        let flaw = LibraryText.clean(flaw)
        if let id = try file.known ?? moved(content) {
            let isSame = try first(
                "SELECT id FROM file WHERE id = ? AND size = ? AND modified = ?", [id, content.size, content.modified])
            if isSame == nil {
                try forgetMeasures("id = ? OR id IN (SELECT id FROM part WHERE file = ?)", [id, id])
            }
            try run(
                """
                UPDATE OR REPLACE file
                SET folder = ?, name = ?, size = ?, modified = ?, inode = ?, flaw = ?, missing = 0 WHERE id = ?
                """, [folder, content.name, content.size, content.modified, content.inode, flaw, id])
            return id
        }
        let id = try first(
            """
            INSERT INTO file (folder, name, size, modified, inode, flaw) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (folder, name) DO UPDATE SET
                size = excluded.size, modified = excluded.modified, inode = excluded.inode, flaw = excluded.flaw,
                missing = 0
            RETURNING id
            """, [folder, content.name, content.size, content.modified, content.inode, flaw])
        return id ?? 0
    }

    private func moved(_ file: FolderContents.File) throws -> Int64? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT file.id, folder.path, file.name FROM file JOIN folder ON folder.id = file.folder
                WHERE file.inode = ? AND file.size = ? AND file.modified = ? AND folder.root = ? LIMIT 8
                """)
        let rows = try Row.fetchAll(statement, arguments: [file.inode, file.size, file.modified, root.id])
        for row in rows {
            guard let id: Int64 = row.value("id"), let folder: String = row.value("path"),
                let name: String = row.value("name")
            else { continue }
            let path = [root.path, folder, name].joinedPath
            if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return id }
        }
        return nil
    }

    // MARK: Tracks

    /// Stores the tracks inside of a file, in place of those that it had; none for a file that is one track.
    private mutating func store(
        _ parts: [ScanBatch.Part], of file: Int64, named name: String, in folder: String
    ) throws {
        if !parts.isEmpty { try removeTrack(file) }
        for part in try Int64.fetchAll(
            db.cachedStatement(sql: "SELECT id FROM part WHERE file = ? AND place >= ?"),
            arguments: [file, parts.count])
        {
            try removeTrack(part)
            try run("DELETE FROM part WHERE id = ?", [part])
        }
        for (place, part) in parts.enumerated() {
            let same = try first(
                "SELECT id FROM part WHERE file = ? AND place = ? AND begin = ? AND finish IS ?",
                [file, place, part.begin, part.finish])
            let id = try first(
                """
                INSERT INTO part (file, place, begin, finish) VALUES (?, ?, ?, ?)
                ON CONFLICT (file, place) DO UPDATE SET begin = excluded.begin, finish = excluded.finish
                RETURNING id
                """, [file, place, part.begin, part.finish])
            guard let id else { continue }
            if same == nil { try forgetMeasures("id = ?", [id]) }
            try store(part.tags, of: id, named: name, in: folder)
        }
    }

    /// What was measured of tracks is of other sound than theirs now.
    private func forgetMeasures(_ condition: String, _ arguments: StatementArguments) throws {
        try run(
            """
            UPDATE track SET measured = NULL, measuredPeak = NULL, albumMeasured = NULL, albumMeasuredPeak = NULL,
                isMeasured = 0
            WHERE \(condition)
            """, arguments)
    }

    private mutating func removeTrack(_ id: Int64) throws {
        if let album = try first("SELECT albumID FROM track WHERE id = ?", [id]) { touched.insert(album) }
        try run("DELETE FROM credit WHERE track = ?", [id])
        try run("DELETE FROM track WHERE id = ?", [id])
    }

    private mutating func store(
        _ tags: AssetTags, of id: Int64, named name: String, in folder: String
    ) throws {
        let clean = LibraryText.clean
        let (artist, albumArtist, album) = (clean(tags.artist), clean(tags.albumArtist), clean(tags.album))
        let title = clean(tags.title) ?? clean(Self.title(from: name)) ?? "?"
        let (genre, composer) = (clean(tags.genre), clean(tags.composer))
        if let old = try first("SELECT albumID FROM track WHERE id = ?", [id]) { touched.insert(old) }
        try run("DELETE FROM credit WHERE track = ?", [id])
        var albumID: Int64?
        if let album {
            let key = AlbumKey(
                album: album, albumArtist: albumArtist, isCompilation: tags.isCompilation, folder: folder)
            albumID = try self.album(key.text, title: album)
        }
        if let albumID { touched.insert(albumID) }
        let loudness = tags.loudness
        try run(
            Self.upsert,
            [
                id, root.id, albumID, title, artist, albumArtist, album, tags.disc, tags.track, tags.year, genre,
                composer, clean(tags.work), tags.duration?.converted(to: 1_000).value, tags.hasArtwork,
                loudness?.track?.integrated, loudness?.track?.peak, loudness?.album?.integrated, loudness?.album?.peak,
                LibraryText.key(title), now,
            ])
        try credit(LibraryText.names(artist), as: .artist, to: id)
        try credit(LibraryText.names(albumArtist ?? artist), as: .albumArtist, to: id)
        try credit(LibraryText.names(genre), as: .genre, to: id)
        try credit(LibraryText.names(composer), as: .composer, to: id)
    }

    private static let upsert = """
        INSERT INTO track (
            id, root, albumID, title, artist, albumArtist, album, disc, number, year, genre, composer, work, duration,
            hasArtwork, loudness, peak, albumLoudness, albumPeak, sort, added)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET
            root = excluded.root, albumID = excluded.albumID, title = excluded.title, artist = excluded.artist,
            albumArtist = excluded.albumArtist, album = excluded.album, disc = excluded.disc, number = excluded.number,
            year = excluded.year, genre = excluded.genre, composer = excluded.composer, work = excluded.work,
            duration = excluded.duration, hasArtwork = excluded.hasArtwork, loudness = excluded.loudness,
            peak = excluded.peak, albumLoudness = excluded.albumLoudness, albumPeak = excluded.albumPeak,
            sort = excluded.sort
        """

    /// What a file without a title is called: its name without the ending.
    private static func title(from name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    private mutating func credit(_ list: [String], as kind: LibraryName.Kind, to track: Int64) throws {
        for name in list {
            let sort = LibraryText.key(name)
            let key = "\(kind.rawValue)\(sort)"
            let id: Int64
            if let known = names[key] {
                id = known
            } else {
                id =
                    try first("SELECT id FROM name WHERE kind = ? AND sort = ?", [kind.rawValue, sort])
                    ?? first(
                        "INSERT INTO name (kind, sort, name) VALUES (?, ?, ?) RETURNING id",
                        [kind.rawValue, sort, name]) ?? 0
                names[key] = id
            }
            try run("INSERT OR IGNORE INTO credit (name, track) VALUES (?, ?)", [id, track])
        }
    }

    // MARK: Albums

    private mutating func album(_ key: String, title: String) throws -> Int64? {
        if let id = albums[key] { return id }
        let id =
            try first("SELECT id FROM album WHERE root = ? AND key = ?", [root.id, key])
            ?? first(
                "INSERT INTO album (root, key, title, sort) VALUES (?, ?, ?, ?) RETURNING id",
                [root.id, key, title, LibraryText.key(title)])
        albums[key] = id
        return id
    }

    private mutating func updateAlbums() throws {
        for id in touched { try AlbumSummary.update(id, db) }
        touched = []
    }

    // MARK: What is gone

    /// Removes files and folders that the scan did not find where it could look. Others stay.
    mutating func removeMissing() throws {
        let folders = try Int64.fetchAll(
            db,
            sql: """
                WITH RECURSIVE gone (id) AS (
                    SELECT folder.id FROM folder JOIN folder AS parent ON parent.id = folder.parent
                    WHERE folder.root = :root AND folder.seen < :scan AND parent.listed = :scan
                    UNION
                    SELECT folder.id FROM folder JOIN gone ON folder.parent = gone.id WHERE folder.seen < :scan
                )
                SELECT id FROM gone
                """, arguments: ["root": root.id, "scan": scan])
        var files = try Int64.fetchAll(
            db,
            sql: """
                SELECT file.id FROM file JOIN folder ON folder.id = file.folder
                WHERE file.missing = ? AND folder.root = ?
                """, arguments: [scan, root.id])
        for folder in folders {
            files += try Int64.fetchAll(
                db.cachedStatement(sql: "SELECT id FROM file WHERE folder = ?"), arguments: [folder])
        }
        for file in files {
            try removeTrack(file)
            for part in try Int64.fetchAll(
                db.cachedStatement(sql: "SELECT id FROM part WHERE file = ?"), arguments: [file])
            {
                try removeTrack(part)
            }
            try run("DELETE FROM file WHERE id = ?", [file])
        }
        for folder in folders { try run("DELETE FROM folder WHERE id = ?", [folder]) }
        try updateAlbums()
        try db.execute(
            sql: """
                DELETE FROM name WHERE NOT EXISTS (SELECT 1 FROM credit WHERE credit.name = name.id);
                DELETE FROM album WHERE NOT EXISTS (SELECT 1 FROM track WHERE track.albumID = album.id);
                """)
        try run("UPDATE root SET scanned = ?, isReachable = 1 WHERE id = ?", [now, root.id])
    }

    // MARK: Statements

    private func run(_ sql: String, _ arguments: StatementArguments) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    private func first(_ sql: String, _ arguments: StatementArguments) throws -> Int64? {
        try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
