import FoundationEssentials
import GRDB
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

    /// The players that have not come to their end: one for each group, the last that began there. What cannot be understood, and what
    /// was replaced, leaves the store.
    ///
    /// - Returns: the players, and the groups of those that cannot be understood.
    package func players() throws(SenderError) -> (found: [StoredPlayer], damaged: [String]) {
        let (found, lost, damaged) = try read { db in
            var found: [StoredPlayer] = []
            var lost: [Int64] = []
            var damaged: [String] = []
            for row in try Row.fetchAll(db, sql: "SELECT * FROM player ORDER BY id DESC") {
                let number: Int64 = row["id"]
                let name: String = row["name"]
                if found.contains(where: { $0.name == name }) {
                    lost.append(number)
                } else if let record = try Self.record(row, db) {
                    found.append(StoredPlayer(number: number, name: name, record: record))
                } else {
                    lost.append(number)
                    damaged.append(name)
                }
            }
            return (found, lost, damaged)
        }
        for number in lost { try removePlayer(number) }
        return (found.reversed(), damaged)
    }

    private static func record(_ row: Row, _ db: Database) throws -> PlayerRecord? {
        let number: Int64 = row["id"]
        let items = try Data.fetchAll(db, sql: "SELECT item FROM entry WHERE player = ?", arguments: [number])
        let entries = items.compactMap { data in JSONLine.decode(data) as PlayerRecord.Entry? }
        guard let state: PlayerRecord.State = (row["state"] as Data?).flatMap({ JSONLine.decode($0) }),
            let order = OrderBlob.order(row["sequence"]), entries.count == items.count
        else { return nil }
        return PlayerRecord(state: state, order: order, entries: entries)
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
