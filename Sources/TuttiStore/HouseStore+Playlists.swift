import FoundationEssentials
import GRDB
import TuttiCore
import TuttiDatabase
package import TuttiRooms
package import TuttiSchema

/// Playlists by name.
extension HouseStore {
    /// Playlists that are kept at most, and tracks of one.
    package static let (mostPlaylists, mostTracks) = (1_000, 20_000)

    /// All playlists in the order of their names, without their tracks.
    package func playlists() throws(SenderError) -> [PlaylistListing] {
        let known: [String: PlaylistListing] = try byKey(
            "playlist", key: "name", called: "playlist", columns: "name, tracks, changed"
        ) { row in
            guard let name: String = row.value("name"), let tracks: Int = row.value("tracks"),
                let changed: Int64 = row.value("changed")
            else { return nil }
            return PlaylistListing(name: name, tracks: tracks, changed: changed)
        }
        return known.values.sorted { $0.name < $1.name }
    }

    /// The tracks of a playlist; nil where there is none.
    ///
    /// - Parameter name: as it is stored.
    package func playlist(_ name: String) throws(SenderError) -> [ControlInput]? {
        try read { db in try Self.inputs(of: name, db) }
    }

    /// Keeps tracks as a playlist, in place of what was there.
    ///
    /// - Throws: `.notNow` where there are too many.
    package func setPlaylist(_ name: String, _ inputs: [ControlInput], at instant: Int64) throws(SenderError) {
        try write { db in try Self.save(inputs, as: name, at: instant, db) }
    }

    /// Edits a playlist.
    ///
    /// - Parameters:
    ///   - name: as it is stored.
    ///   - makes: whether one that is not there is made.
    /// - Throws: what `body` throws; `.notNow` where there are too many; `.refused` where it has gone meanwhile.
    package func editPlaylist(
        _ name: String, makes: Bool, at instant: Int64,
        _ body: (inout [ControlInput]) throws(SenderError) -> Void
    ) throws(SenderError) {
        try write { db in
            let known = try Self.inputs(of: name, db)
            guard var inputs = known ?? (makes ? [] : nil) else {
                throw SenderError.refused("\(name): no such playlist any more", exitCode: 3)
            }
            try body(&inputs)
            try Self.save(inputs, as: name, at: instant, db)
        }
    }

    /// Gives a playlist another name.
    ///
    /// - Parameter name: as it is stored.
    /// - Throws: `.notNow` where the name is taken.
    package func renamePlaylist(_ name: String, to new: String) throws(SenderError) {
        try write { db in
            let names = try String.fetchAll(db, sql: "SELECT name FROM playlist")
            guard !names.contains(where: { $0 != name && Names.areSame($0, new) }) else {
                throw SenderError.notNow("there is a playlist \(new) already: remove it first")
            }
            try db.execute(sql: "UPDATE playlist SET name = ? WHERE name = ?", arguments: [new, name])
        }
    }

    /// Forgets a playlist.
    ///
    /// - Parameter name: as it is stored.
    package func removePlaylist(_ name: String) throws(SenderError) {
        try write { db in try db.execute(sql: "DELETE FROM playlist WHERE name = ?", arguments: [name]) }
    }

    private static func inputs(of name: String, _ db: Database) throws -> [ControlInput]? {
        let row = try Row.fetchOne(db, sql: "SELECT content FROM playlist WHERE name = ?", arguments: [name])
        guard let row else { return nil }
        guard let content: Data = row.value("content"), let inputs: [ControlInput] = JSONLine.decode(content) else {
            throw SenderError.refused("the playlist \(name) is damaged: remove it, or save it again", exitCode: 1)
        }
        return inputs
    }

    private static func save(
        _ inputs: [ControlInput], as name: String, at instant: Int64, _ db: Database
    ) throws {
        guard inputs.count <= mostTracks else {
            throw SenderError.notNow("a playlist has at most \(mostTracks) tracks")
        }
        let others = try Int.fetchOne(db, sql: "SELECT count(*) FROM playlist WHERE name <> ?", arguments: [name]) ?? 0
        guard others < mostPlaylists else {
            throw SenderError.notNow("there are \(others) playlists already: remove some")
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO playlist (name, tracks, changed, content) VALUES (?, ?, ?, ?)",
            arguments: [name, inputs.count, instant, Data(JSONLine.encode(inputs))])
    }
}
