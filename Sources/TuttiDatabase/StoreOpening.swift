package import GRDB

/// How a store is opened: damage is found first, a store that cannot be used is set aside, and what can be read of it
/// goes into a new one.
package struct StoreOpening<Writer: DatabaseWriter> {
    /// A table, and what its rows are in order of: a damaged page is read up to from both sides.
    package typealias Table = (name: String, order: String)

    private let path: String
    private let migrator: DatabaseMigrator
    private let salvaged: [Table]
    private let configuration: Configuration
    private let isVerified: Bool
    private let make: (String, Configuration) throws -> Writer

    /// Seconds that another process's change is waited for.
    private static var patience: Double { 5 }

    /// A store at `path`.
    ///
    /// - Parameters:
    ///   - migrator: how it came to be as it is.
    ///   - salvaged: the tables that are copied out of a damaged store.
    ///   - isVerified: whether all of it is read for damage; otherwise its first page is, and what is migrated.
    ///   - prepare: sets further options of its connections.
    ///   - make: opens the file.
    package init(
        path: String, migrator: DatabaseMigrator, salvaged: [Table], isVerified: Bool = true,
        prepare: (inout Configuration) -> Void = { _ in },
        make: @escaping (String, Configuration) throws -> Writer
    ) {
        (self.path, self.migrator, self.salvaged, self.make) = (path, migrator, salvaged, make)
        self.isVerified = isVerified
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(Self.patience)
        prepare(&configuration)
        self.configuration = configuration
    }

    /// Opens the store, made if need be, while the caller holds the lock of its directory: who finds a store half made
    /// would take it for damaged, or make it as well.
    ///
    /// - Returns: the store, and lines that say what became of one that could not be used.
    /// - Throws: `StoreError` when the store can be neither read nor made.
    package func open() throws(StoreError) -> (writer: Writer, remarks: [String]) {
        var remarks: [String] = []
        if !OpenFile.isOpen(path), let flaw = StoreFile.flaw(of: path) {
            remarks.append(try StoreFile.setAside(path, because: flaw).remark)
        } else {
            do {
                return (try openFile(), [])
            } catch let flaw as StoreFlaw {
                let old = try StoreFile.setAside(path, because: flaw)
                remarks.append(old.remark)
                if flaw != .newer, let (new, line) = salvage(old.path) { return (new, remarks + [line]) }
            } catch {
                throw StoreError(error, path: path)
            }
        }
        do { return (try openFile(), remarks) } catch { throw StoreError(error, path: path) }
    }

    /// - Throws: `StoreFlaw` for what is to be set aside; otherwise what SQLite says.
    private func openFile() throws -> Writer {
        do {
            if StoreFile.exists(path) { try check() }
            let database = try make(path, configuration)
            do {
                try migrator.migrate(database)
                return database
            } catch {
                try? database.close()
                throw error
            }
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            throw StoreFlaw.unreadable(error.message ?? "SQLite cannot read it")
        }
    }

    /// Looks at a store without changing a byte of it: what is set aside stays as it was found.
    private func check() throws {
        var configuration = configuration
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        try database.read { db in
            if isVerified {
                let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "nothing"
                guard verdict == "ok" else { throw StoreFlaw.unreadable(verdict) }
            }
            if try migrator.hasBeenSuperseded(db) { throw StoreFlaw.newer }
        }
    }

    // MARK: Salvage

    /// Copies the rows of a damaged store that can be read into a new one.
    ///
    /// - Returns: the new store, and a line that says how much of the old one is in it; nil when there is nothing to
    ///   read.
    private func salvage(_ old: String) -> (Writer, String)? {
        var configuration = Configuration()
        configuration.readonly = true
        guard let source = try? DatabaseQueue(path: old, configuration: configuration) else { return nil }
        defer { try? source.close() }
        guard let target = try? openFile() else { return nil }
        var count = 0
        for table in salvaged {
            for direction in ["", " DESC"] {
                let key = table.order.split(separator: ",").map { $0 + direction }.joined(separator: ",")
                let rows = Self.rows(of: table.name, by: key, in: source)
                count += (try? target.write { db in try Self.insert(rows, into: table.name, db) }) ?? 0
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
