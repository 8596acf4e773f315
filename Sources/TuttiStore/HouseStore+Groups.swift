import GRDB
import TuttiDatabase
package import TuttiRooms
import TuttiSchema
import TuttiSender

/// The named groups of rooms.
extension HouseStore {
    /// All groups, by name; those that cannot be understood are set aside.
    package func groups() throws(SenderError) -> [String: [RoomAddress]] {
        try byKey("roomGroup", key: "name", called: "group") { row in
            (row.value("rooms") as String?).flatMap(Self.rooms)
        }
    }

    /// Makes a group of these rooms, or replaces it.
    package func setGroup(_ name: String, to rooms: [RoomAddress]) throws(SenderError) {
        try write { db in try Self.save(rooms, as: name, in: db) }
    }

    /// Adds rooms to a group, made if need be; a room that is in it gets its new address.
    package func add(_ rooms: [RoomAddress], toGroup name: String) throws(SenderError) {
        try write { db in
            let members = try Self.members(of: name, in: db) ?? []
            let kept = members.filter { old in !rooms.contains { $0.label == old.label } }
            try Self.save(kept + rooms, as: name, in: db)
        }
    }

    /// Takes rooms out of a group.
    ///
    /// - Throws: `.noSuchGroup`, `.notNow` for a room that is not in it.
    package func remove(_ rooms: [String], fromGroup name: String) throws(SenderError) {
        try write { db in
            guard var members = try Self.members(of: name, in: db) else { throw SenderError.noSuchGroup(name) }
            for room in rooms {
                guard let index = members.firstIndex(where: { $0.label == room || $0.description == room }) else {
                    throw SenderError.notNow("\(room): not in the group \(name)")
                }
                members.remove(at: index)
            }
            try Self.save(members, as: name, in: db)
        }
    }

    /// Deletes a group.
    ///
    /// - Throws: `.noSuchGroup`.
    package func deleteGroup(_ name: String) throws(SenderError) {
        try write { db in
            try db.execute(sql: "DELETE FROM roomGroup WHERE name = ?", arguments: [name])
            if db.changesCount == 0 { throw SenderError.noSuchGroup(name) }
        }
    }

    static func save(_ rooms: [RoomAddress], as name: String, in db: Database) throws {
        let text = String(decoding: JSONLine.encode(rooms.map(\.description)), as: UTF8.self)
        try db.execute(sql: "INSERT OR REPLACE INTO roomGroup (name, rooms) VALUES (?, ?)", arguments: [name, text])
    }

    private static func members(of name: String, in db: Database) throws -> [RoomAddress]? {
        let row = try Row.fetchOne(db, sql: "SELECT rooms FROM roomGroup WHERE name = ?", arguments: [name])
        return row.flatMap { $0.value("rooms") as String? }.flatMap(rooms)
    }

    /// The rooms in a list; nil for one that is damaged. A room that cannot be understood is left out.
    private static func rooms(_ text: String) -> [RoomAddress]? {
        guard let rooms: [String] = JSONLine.decode(text.utf8) else { return nil }
        return rooms.compactMap { try? RoomAddress(parsing: $0) }
    }
}
