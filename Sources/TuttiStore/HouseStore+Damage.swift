import GRDB
import TuttiDatabase
import TuttiRooms
import TuttiSender

/// Rows that cannot be understood: they leave their tables and are kept in one of their own, and all others stay in
/// use.
extension HouseStore {
    /// A row that cannot be understood.
    struct DamagedRow {
        /// Its table.
        let table: String
        /// The columns of its key, with their values.
        let key: [(column: String, value: DatabaseValue)]

        init(_ table: String, _ row: Row, key: [String]) {
            self.table = table
            self.key = key.map { ($0, row[$0]) }
        }
    }

    /// More rows than this are not kept, the oldest go.
    private static let maximumDamaged = 10_000

    /// Copies rows to where damaged ones are kept.
    ///
    /// - Parameter isRemoved: whether they leave their tables.
    /// - Throws: `.system` when that cannot be stored; nothing has changed then.
    func setAside(_ rows: [DamagedRow], isRemoved: Bool = true) throws(SenderError) {
        guard !rows.isEmpty else { return }
        try write { db in
            for row in rows {
                let condition = row.key.map { "\($0.column) IS ?" }.joined(separator: " AND ")
                let arguments = StatementArguments(row.key.map(\.value))
                let columns = try db.columns(in: row.table).map(\.name)
                let content = columns.map { "'\($0)=' || quote(\($0))" }.joined(separator: " || ', ' || ")
                try db.execute(
                    sql: """
                        INSERT INTO damagedRow (origin, content)
                        SELECT '\(row.table)', \(content) FROM \(row.table) WHERE \(condition)
                        """, arguments: arguments)
                if isRemoved {
                    try db.execute(sql: "DELETE FROM \(row.table) WHERE \(condition)", arguments: arguments)
                }
            }
            try db.execute(
                sql: "DELETE FROM damagedRow WHERE id <= (SELECT max(id) FROM damagedRow) - \(Self.maximumDamaged)")
        }
    }

    /// Sets rows aside and says so.
    func setAside(_ rows: [DamagedRow], called name: String) throws(SenderError) {
        guard !rows.isEmpty else { return }
        try setAside(rows)
        let what = rows.count == 1 ? "1 \(name)" : "\(rows.count) \(name)s"
        tell(ofDamage: "\(what) in the store cannot be read; moved to its table damagedRow, and the rest stays in use")
    }
}

extension HouseStore {
    /// What the rows of a table say, in the order of their keys; those that cannot be understood are set aside.
    ///
    /// - Parameters:
    ///   - key: the column that tells one row from another.
    ///   - name: what a row is called where its damage is reported.
    ///   - columns: what of it is read.
    ///   - value: what a row says; nil for a damaged one.
    func all<Value>(
        _ table: String, key: String, called name: String, columns: String = "*", _ value: (Row) -> Value?
    ) throws(SenderError) -> [Value] {
        let (values, damaged) = try read { db in
            var values: [Value] = []
            var damaged: [DamagedRow] = []
            for row in try Row.fetchAll(db, sql: "SELECT \(columns) FROM \(table) ORDER BY \(key)") {
                if let value = value(row) {
                    values.append(value)
                } else {
                    damaged.append(DamagedRow(table, row, key: [key]))
                }
            }
            return (values, damaged)
        }
        try? setAside(damaged, called: name)
        return values
    }

    /// The same by key.
    func byKey<Key: Hashable & DatabaseValueConvertible, Value>(
        _ table: String, key: String, called name: String, columns: String = "*", _ value: (Row) -> Value?
    ) throws(SenderError) -> [Key: Value] {
        let pairs = try all(table, key: key, called: name, columns: columns) { row -> (Key, Value)? in
            guard let key: Key = row.value(key), let value = value(row) else { return nil }
            return (key, value)
        }
        return Dictionary(pairs) { _, last in last }
    }
}

extension Row {
    /// A volume, 0 … 100; nil for what is none.
    var volume: Double? { (value("volume") as Double?).flatMap { (0...100).contains($0) ? $0 : nil } }
}
