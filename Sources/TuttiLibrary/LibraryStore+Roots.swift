import GRDB
import Glibc
import TuttiDatabase
import TuttiHost

/// The folders of the library.
extension LibraryStore {
    /// All folders, in the order in which they were added.
    package func roots() throws(LibraryError) -> [LibraryRoot] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT root.*, (SELECT count(*) FROM track WHERE track.root = root.id) AS tracks
                    FROM root ORDER BY id
                    """
            ).compactMap(Self.root)
        }
    }

    /// Adds a folder. A folder that the library has under another path, where it is no longer found, takes that one's
    /// place with all that is known of it: a root that was moved.
    ///
    /// - Returns: the root, and the path that it had before where it was moved.
    /// - Throws: `.folder` for none that can be read, `.overlaps`, `.tooManyRoots`, `.store`.
    package func add(_ folder: String) throws(LibraryError) -> (root: LibraryRoot, movedFrom: String?) {
        let place = try FolderPlace(folder)
        let roots = try roots()
        if let same = roots.first(where: { $0.path == place.path }) { return (same, nil) }
        for root in roots where !root.isReachable || FolderPlace.isGone(root.path) {
            guard try isSame(root, as: place) else { continue }
            try moveRoot(from: root.path, to: place.path)
            return (try self.root(root.id), root.path)
        }
        if let other = roots.first(where: { Self.overlap($0.path, place.path) }) {
            throw .overlaps(place.path, root: other.path)
        }
        guard roots.count < LibraryLimits.roots else { throw .tooManyRoots }
        let id = try write { db in
            try db.execute(
                sql: "INSERT INTO root (path, device, inode, added, isReachable) VALUES (?, ?, ?, ?, 1)",
                arguments: [place.path, place.device, place.inode, Self.now])
            return db.lastInsertedRowID
        }
        return (try root(id), nil)
    }

    /// Tells that a root is found at another path. Nothing is read: the files' paths are relative to it.
    ///
    /// - Throws: `.noSuchRoot`, `.folder` for a new path that cannot be read, `.overlaps`, `.store`.
    package func moveRoot(from old: String, to new: String) throws(LibraryError) {
        let place = try FolderPlace(new)
        let roots = try roots()
        guard let root = roots.first(where: { $0.path == old || $0.path == Self.trimmed(old) }) else {
            throw .noSuchRoot(old)
        }
        if let other = roots.first(where: { $0.id != root.id && Self.overlap($0.path, place.path) }) {
            throw .overlaps(place.path, root: other.path)
        }
        try write { db in
            try db.execute(
                sql: "UPDATE root SET path = ?, device = ?, inode = ?, isReachable = 1 WHERE id = ?",
                arguments: [place.path, place.device, place.inode, root.id])
        }
    }

    /// Removes a folder with all that is known of its tracks. The files stay.
    ///
    /// - Throws: `.noSuchRoot`, `.store`.
    package func removeRoot(_ path: String) throws(LibraryError) {
        guard let root = try roots(named: [path]).first else { throw .noSuchRoot(path) }
        try write { db in
            let tracks = "SELECT id FROM track WHERE root = \(root.id)"
            try db.execute(
                sql: """
                    DELETE FROM credit WHERE track IN (\(tracks));
                    DELETE FROM file WHERE folder IN (SELECT id FROM folder WHERE root = \(root.id));
                    DELETE FROM folder WHERE root = \(root.id);
                    DELETE FROM track WHERE root = \(root.id);
                    DELETE FROM album WHERE root = \(root.id);
                    DELETE FROM name WHERE NOT EXISTS (SELECT 1 FROM credit WHERE credit.name = name.id);
                    DELETE FROM root WHERE id = \(root.id);
                    """)
        }
    }

    /// The folders of these paths, which may be relative, or have links in them.
    ///
    /// - Throws: `.noSuchRoot`, `.store`.
    package func roots(named paths: [String]) throws(LibraryError) -> [LibraryRoot] {
        let known = try roots()
        var found: [LibraryRoot] = []
        for path in paths {
            let real = (try? FolderPlace(path))?.path
            guard let root = known.first(where: { [path, Self.trimmed(path), real].contains($0.path) }) else {
                throw .noSuchRoot(path)
            }
            found.append(root)
        }
        return found
    }

    /// The paths of all folders of a root, relative to it.
    func folders(of root: Int64) throws(LibraryError) -> [String] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT path FROM folder WHERE root = ?", arguments: [root])
                .compactMap { $0.value("path") }
        }
    }

    /// Notes whether a root can be read.
    func setReachable(_ root: Int64, _ isReachable: Bool) throws(LibraryError) {
        try write { db in
            try db.execute(sql: "UPDATE root SET isReachable = ? WHERE id = ?", arguments: [isReachable, root])
        }
    }

    private func root(_ id: Int64) throws(LibraryError) -> LibraryRoot {
        guard let root = try roots().first(where: { $0.id == id }) else { throw .noSuchRoot("\(id)") }
        return root
    }

    /// Whether a folder is what a root was: the same one under another name, or with the same files in the same places.
    private func isSame(_ root: LibraryRoot, as place: FolderPlace) throws(LibraryError) -> Bool {
        if try hasIdentity(root, place) { return true }
        let samples = try samples(of: root)
        let found = samples.count { sample in
            var status = stat()
            return stat(place.path + sample.path, &status) == 0 && Int64(status.st_size) == sample.size
        }
        return !samples.isEmpty && found * 10 >= samples.count * 9
    }

    /// Whether the path of a root leads to what it was, and not to another disk that is mounted there: it is the same
    /// folder, or one of its files is there. Device numbers change, so what they are now is noted.
    func isInPlace(_ root: LibraryRoot, _ place: FolderPlace) throws(LibraryError) -> Bool {
        if try hasIdentity(root, place) { return true }
        let samples = try samples(of: root)
        guard samples.isEmpty || samples.contains(where: { access(place.path + $0.path, F_OK) == 0 }) else {
            return false
        }
        try write { db in
            try db.execute(
                sql: "UPDATE root SET device = ?, inode = ? WHERE id = ?",
                arguments: [place.device, place.inode, root.id])
        }
        return true
    }

    private func hasIdentity(_ root: LibraryRoot, _ place: FolderPlace) throws(LibraryError) -> Bool {
        try read { db in
            let row = try Row.fetchOne(db, sql: "SELECT device, inode FROM root WHERE id = ?", arguments: [root.id])
            return row?.value("device") == place.device && row?.value("inode") == place.inode
        }
    }

    /// Some files of a root, with their paths from its own on.
    private func samples(of root: LibraryRoot) throws(LibraryError) -> [(path: String, size: Int64)] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT folder.path, file.name, file.size FROM folder JOIN file ON file.folder = folder.id
                    WHERE folder.root = ? ORDER BY file.size DESC LIMIT ?
                    """, arguments: [root.id, Self.samples]
            ).compactMap { row in
                guard let folder: String = row.value("path"), let name: String = row.value("name"),
                    let size: Int64 = row.value("size")
                else { return nil }
                return (["", folder, name].joinedPath, size)
            }
        }
    }

    /// Files that are compared, the largest ones.
    private static let samples = 32

    private static func root(_ row: Row) -> LibraryRoot? {
        guard let id: Int64 = row.value("id"), let path: String = row.value("path") else { return nil }
        return LibraryRoot(
            id: id, path: path, isReachable: row.value("isReachable") ?? false, scanned: row.value("scanned"),
            trackCount: row.value("tracks") ?? 0)
    }

    /// Whether one of two folders is in the other.
    private static func overlap(_ one: String, _ other: String) -> Bool {
        one == other || one.hasPrefix(other == "/" ? other : other + "/")
            || other.hasPrefix(one == "/" ? one : one + "/")
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// Seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }
}
