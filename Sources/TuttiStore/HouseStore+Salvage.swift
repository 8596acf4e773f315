import GRDB

/// What can still be read of a store that is damaged.
extension HouseStore {
    /// The tables, with what their rows are in order of: a damaged page is read up to from both sides.
    private static let salvaged = [
        ("identity", "only"), ("room", "name"), ("roomGroup", "name"), ("player", "id"), ("entry", "player, id"),
        ("schedule", "id"), ("fade", "room"), ("alarmLevel", "room"), ("loudness", "path, begin, finish"),
        ("station", "name"),
    ]

    /// Copies the rows of a damaged store that can be read into a new one.
    ///
    /// - Returns: the new store, and a line that says how much of the old one is in it; nil when there is nothing to
    ///   read.
    static func salvage(_ old: String, into path: String) -> (DatabaseQueue, String)? {
        var configuration = Configuration()
        configuration.readonly = true
        guard let source = try? DatabaseQueue(path: old, configuration: configuration) else { return nil }
        defer { try? source.close() }
        guard let target = try? open(path) else { return nil }
        var count = 0
        for (table, order) in salvaged {
            for direction in ["", " DESC"] {
                let key = order.split(separator: ",").map { $0 + direction }.joined(separator: ",")
                let rows = rows(of: table, by: key, in: source)
                count += (try? target.write { db in try insert(rows, into: table, db) }) ?? 0
            }
        }
        guard count > 0 else {
            try? target.close()
            return nil
        }
        return (target, "\(count) of its rows could be read and were copied to the new store")
    }

    /// The rows up to the first that cannot be read.
    private static func rows(of table: String, by key: String, in source: DatabaseQueue) -> [Row] {
        var rows: [Row] = []
        try? source.read { db in
            let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) ORDER BY \(key)")
            while let row = try cursor.next() { rows.append(row.copy()) }
        }
        return rows
    }

    /// - Returns: how many are new there.
    private static func insert(_ rows: [Row], into table: String, _ db: Database) throws -> Int {
        let columns = Set(try db.columns(in: table).map(\.name))
        var count = 0
        for row in rows {
            let names = row.columnNames.filter(columns.contains)
            let marks = names.map { _ in "?" }.joined(separator: ", ")
            // What breaks a rule of the table is damaged: it is passed over, and lies in the old store.
            try db.execute(
                sql: "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))",
                arguments: StatementArguments(names.map { row[$0] as DatabaseValue }))
            count += db.changesCount
        }
        return count
    }
}
