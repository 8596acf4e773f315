import GRDB
import Glibc
import Synchronization
import TuttiDatabase
import TuttiHost

/// A music library in `library.sqlite` of a state directory: folders, files, what they say of themselves, and what was
/// played when.
///
/// Several processes and threads may use it at once: readers do not wait for a scan that writes. What was played is
/// there after the end of the process; after the power's, all but the last moments are.
package final class LibraryStore: Sendable {
    /// Where the store is.
    package let path: String
    /// What an operator should know of how the store was opened, a line each.
    package let remarks: [String]
    let database: DatabasePool
    private let file: OpenFile?
    /// The roots that this process scans now, by their ids.
    let scanning = Mutex<Set<Int64>>([])

    /// The file's name in its directory.
    package static let fileName = "library.sqlite"
    /// Seconds that another process is given to make a store, on a disk that is busy.
    private static let patience = 30.0
    /// The ending of a file beside the store that says that it has to be read for damage when it is opened.
    private static let doubt = "-damaged"
    /// KiB of pages that each connection keeps.
    private static let cache = 4_096
    /// Threads that read at once.
    private static let readers = 2

    /// Opens the library in `directory`, made if need be. A store that cannot be understood, or that is a newer
    /// version's, is set aside under another name and a new one created, with what can still be read.
    ///
    /// - Throws: `LibraryError.store` when it can be neither read nor made.
    package init(directory: String) throws(LibraryError) {
        path = directory + "/" + Self.fileName
        do {
            try StatePaths.prepare(directory)
        } catch {
            throw .store(error.description)
        }
        let lock = FileLock(directory: directory, patience: Self.patience)
        defer { withExtendedLifetime(lock) {} }
        let opening = StoreOpening(
            path: path, migrator: Self.migrator, salvaged: Self.salvaged,
            isVerified: access(path + Self.doubt, F_OK) == 0,
            prepare: { configuration in
                configuration.maximumReaderCount = Self.readers
                configuration.prepareDatabase { db in
                    try db.execute(sql: "PRAGMA cache_size = -\(Self.cache); PRAGMA synchronous = NORMAL")
                }
            }, make: { path, configuration in try DatabasePool(path: path, configuration: configuration) })
        do {
            (database, remarks) = try opening.open()
        } catch {
            throw .store(error.description)
        }
        file = OpenFile(path)
        unlink(path + Self.doubt)
    }

    /// Reads all of the store for damage, which takes a quarter of a second for 100 000 tracks: before a scan, not
    /// whenever it is opened.
    ///
    /// - Throws: `.store` when it is damaged; it is set aside, and read as far as it goes, when it is opened again.
    func verify() throws(LibraryError) {
        try read { db in
            let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "nothing"
            guard verdict == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict) }
        }
    }

    /// Ends the use of the store: its log is empty then. Whoever still uses it gets an error.
    package func close() {
        _ = try? database.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try? database.close()
    }

    /// Changes the store in one transaction.
    ///
    /// - Throws: `LibraryError` of `body`; `.store` when the change cannot be kept, and nothing is changed then.
    func write<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do { return try database.write(body) } catch { throw failure(error) }
    }

    /// Looks at the store.
    ///
    /// - Throws: `LibraryError` of `body`; `.store` when it cannot be read.
    func read<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
        do { return try database.read(body) } catch { throw failure(error) }
    }

    private func failure(_ error: any Error) -> LibraryError {
        if let error = error as? DatabaseError, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            Glibc.close(creat(path + Self.doubt, 0o600))
            return .store("the store \(path) is damaged; it will be repaired when it is opened again")
        }
        return error as? LibraryError ?? .store(StoreError(error, path: path).description)
    }
}
