import FoundationEssentials
import GRDB
package import TuttiRooms
import TuttiSchema
package import TuttiSender

/// What plays.
extension HouseStore {
    /// A player as it was stored last.
    package struct StoredPlayer: Sendable {
        /// Its number in the store.
        package let number: Int64
        /// The group's name.
        package let name: String
        /// What it would go on from.
        package let record: PlayerRecord
    }

    /// The players that have not come to their end: one for each group, the last that began there. What was replaced
    /// leaves the store; what cannot be understood is set aside, and what is left of its player stays.
    ///
    /// - Returns: the players, and the groups of those that were damaged.
    package func players() throws(SenderError) -> (found: [StoredPlayer], damaged: [String]) {
        let groups = try groups()
        let (stored, orphans) = try read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM player ORDER BY id DESC")
            let orphans = try Row.fetchAll(
                db, sql: "SELECT player, id FROM entry WHERE player NOT IN (SELECT id FROM player)")
            return (try rows.map { try PlayerParts($0, db) }, orphans)
        }
        try? setAside(orphans.map { DamagedRow("entry", $0, key: ["player", "id"]) }, called: "track")
        var found: [StoredPlayer] = []
        var damaged: [String] = []
        for parts in stored {
            if found.contains(where: { $0.name == parts.name }) {
                try removePlayer(parts.number)
            } else if parts.damage.isEmpty, let record = parts.record {
                found.append(StoredPlayer(number: parts.number, name: parts.name, record: record))
            } else {
                let rooms = Self.rooms(called: parts.name, groups)
                let (record, line) = try repair(parts, in: rooms)
                if let record { found.append(StoredPlayer(number: parts.number, name: parts.name, record: record)) }
                tell(ofDamage: line)
                damaged.append(parts.name)
            }
        }
        return (found.reversed(), damaged)
    }

    /// Keeps what is whole of a player, and sets aside what is not.
    private func repair(
        _ parts: PlayerParts, in rooms: [RoomAddress]
    ) throws(SenderError) -> (record: PlayerRecord?, line: String) {
        let name = parts.name.isEmpty ? "the queue" : "the queue of \(parts.name)"
        try setAside(parts.damage.filter { $0.table == "player" }, isRemoved: false)
        try setAside(parts.damage.filter { $0.table != "player" })
        guard let record = PlayerRecord.repaired(parts.remains(in: rooms)) else {
            try setAside(parts.all)
            return (
                nil,
                "\(name) is damaged in the store and cannot be played; it was moved to the table damagedRow"
            )
        }
        var change = PlayerChange()
        (change.isWhole, change.state, change.order) = (true, record.state, record.order)
        change.entries = record.entries
        _ = try store(change, of: parts.name, number: parts.number)
        let lost = max(0, parts.count - record.entries.count)
        let tracks = lost == 0 ? "no tracks are lost" : lost == 1 ? "1 track is lost" : "\(lost) tracks are lost"
        return (
            record,
            "\(name) was damaged in the store: \(tracks), \(record.entries.count) remain; "
                + "damaged rows were moved to the table damagedRow"
        )
    }

    /// The rooms of the group that is called so, or those that its name is made of.
    private static func rooms(called name: String, _ groups: [String: [RoomAddress]]) -> [RoomAddress] {
        if let members = groups.first(where: { $0.key.lowercased() == name.lowercased() })?.value { return members }
        return name.split(separator: "+").flatMap { part in
            groups[String(part)] ?? (try? RoomAddress(parsing: String(part))).map { [$0] } ?? []
        }
    }

    /// Stores a change of a player.
    ///
    /// - Parameter number: its number; nil when nothing of it is stored yet.
    /// - Returns: its number.
    func store(
        _ change: PlayerChange, of name: String, number: Int64?
    ) throws(SenderError) -> Int64 {
        try write { db in
            let number = try number ?? Self.insertPlayer(name, db)
            if change.isWhole { try db.execute(sql: "DELETE FROM entry WHERE player = ?", arguments: [number]) }
            if let state = change.state {
                try db.execute(
                    sql: "UPDATE player SET state = ? WHERE id = ?",
                    arguments: [Data(JSONLine.encode(state)), number])
            }
            if let order = change.order {
                try db.execute(
                    sql: "UPDATE player SET sequence = ? WHERE id = ?", arguments: [OrderBlob.data(order), number])
            }
            let delete = try db.cachedStatement(sql: "DELETE FROM entry WHERE player = ? AND id = ?")
            for id in change.removed { try delete.execute(arguments: [number, Int64(bitPattern: id)]) }
            let insert = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO entry (player, id, item) VALUES (?, ?, ?)")
            for entry in change.entries {
                try insert.execute(
                    arguments: [number, Int64(bitPattern: entry.id), Data(JSONLine.encode(entry))])
            }
            return number
        }
    }

    private static func insertPlayer(_ name: String, _ db: Database) throws -> Int64 {
        try db.execute(sql: "INSERT INTO player (name) VALUES (?)", arguments: [name])
        return db.lastInsertedRowID
    }

    /// Takes a player out of the store.
    func removePlayer(_ number: Int64) throws(SenderError) {
        try write { db in
            try db.execute(sql: "DELETE FROM entry WHERE player = ?", arguments: [number])
            try db.execute(sql: "DELETE FROM player WHERE id = ?", arguments: [number])
        }
    }
}
