import Foundation
import GRDB
import Synchronization
import TuttiDatabase
import TuttiHost
package import TuttiRooms
import TuttiSender
package import TuttiTrust

/// What a house must remember, in `tutti.sqlite` of its state directory: who the sender is, its rooms and groups, what
/// plays where, and what is to be played when.
///
/// What was written is there after the end of this process and after the power's: each change is one transaction that
/// has reached the disk when the call returns. Several processes may use the store at once.
package final class HouseStore: Sendable {
    /// Where the store is; nil when it is in memory only.
    package let path: String?
    /// What an operator should know of how the store was opened, a line each.
    package let remarks: [String]

    /// The sender's place in its household; nil for one that speaks in the clear.
    package let trust: Membership?

    private let database: DatabaseQueue
    /// Held while the database is used: a connection that has been closed must not be asked anything, not even in vain.
    private let access = NSLock()
    private let isClosed = Atomic<Bool>(false)
    private let trouble = Mutex(Trouble())
    private let file: Mutex<OpenFile?>

    private struct Trouble {
        var isFailing = false
        /// What has not been reported yet.
        var untold: [String] = []
        /// What was damaged since the store was opened.
        var damage: [String] = []
        var tell: (@Sendable (String) -> Void)?
    }

    /// The file's name in its directory.
    package static let fileName = "tutti.sqlite"
    /// Seconds that another process is given to make a store, on a disk that is busy.
    private static let patience = 30.0

    /// Opens the store in `directory`, made if need be. A store that cannot be understood, or that is a newer
    /// version's, is set aside under another name and a new one created.
    ///
    /// - Throws: `SenderError.system` when the store can be neither read nor made.
    package convenience init(directory: String, trust: Membership? = nil) throws(SenderError) {
        let path = directory + "/" + Self.fileName
        do {
            try StatePaths.prepare(directory)
        } catch {
            throw .system(error.description)
        }
        // Who finds a store half made would take it for damaged, or make it as well.
        let lock = FileLock(directory: directory, patience: Self.patience)
        defer { withExtendedLifetime(lock) {} }
        let opened: (writer: DatabaseQueue, remarks: [String])
        do { opened = try Self.opening(path).open() } catch { throw .system(error.description) }
        let remarks = opened.remarks
        do {
            try self.init(database: opened.writer, path: path, remarks: remarks, trust: trust)
            trouble.withLock { $0.damage = remarks }
            try takeOver(from: directory)
        } catch let error as SenderError {
            throw error
        } catch {
            throw .system(Self.text(error, path))
        }
    }

    /// A store that is gone with this process, for when there is no place to keep one.
    ///
    /// - Parameter reason: why; it becomes the remark.
    /// - Throws: `SenderError.system` when there is no memory.
    package static func inMemory(
        because reason: String, trust: Membership? = nil
    ) throws(SenderError) -> HouseStore {
        do {
            let database = try DatabaseQueue()
            try migrator.migrate(database)
            let remark = "\(reason); changes are kept in memory only and are lost when this program ends"
            let store = try HouseStore(database: database, path: nil, remarks: [remark], trust: trust)
            try store.setIdentity(SenderIdentity.random())
            return store
        } catch let error as SenderError {
            throw error
        } catch {
            throw .system(text(error, "in memory"))
        }
    }

    private init(
        database: DatabaseQueue, path: String?, remarks: [String], trust: Membership?
    ) throws {
        self.trust = trust
        self.database = database
        self.path = path
        self.remarks = remarks
        file = Mutex(path.flatMap(OpenFile.init))
    }

    private static func opening(_ path: String) -> StoreOpening<DatabaseQueue> {
        StoreOpening(path: path, migrator: migrator, salvaged: salvaged) { path, configuration in
            let database = try DatabaseQueue(path: path, configuration: configuration)
            // A write-ahead log keeps what was committed when the process ends; when the power does, only if it was
            // waited for.
            do {
                try database.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
            } catch {
                try? database.close()
                throw error
            }
            return database
        }
    }

    // MARK: Access

    /// Calls `tell` with a line when changes cannot be kept, once, and with another when they can be again.
    package func onTrouble(_ tell: @escaping @Sendable (String) -> Void) {
        let untold = trouble.withLock { trouble in
            trouble.tell = tell
            defer { trouble.untold = [] }
            return trouble.untold
        }
        for line in untold { tell(line) }
    }

    /// What of the store was damaged when it was read, a line each.
    package var damage: [String] { trouble.withLock { $0.damage } }

    /// Reports damage once, as soon as a handler is set.
    func tell(ofDamage line: String) {
        let tell = trouble.withLock { trouble in
            if trouble.damage.count < Self.mostDamage { trouble.damage.append(line) }
            if trouble.tell == nil { trouble.untold.append(line) }
            return trouble.tell
        }
        tell?(line)
    }

    private static let mostDamage = 16

    /// Changes the store in one transaction.
    ///
    /// - Throws: `SenderError` of `body`, `.system` when the change cannot be kept; nothing is changed then.
    func write<Value>(_ body: (Database) throws -> Value) throws(SenderError) -> Value {
        do {
            let value = try use { try $0.write(body) }
            note(nil)
            return value
        } catch let error as SenderError {
            throw error
        } catch {
            let text = Self.text(error, path ?? "in memory")
            note(text)
            throw .system(text)
        }
    }

    /// Looks at the store.
    ///
    /// - Throws: `SenderError` of `body`, `.system` when it cannot be read.
    func read<Value>(_ body: (Database) throws -> Value) throws(SenderError) -> Value {
        do {
            return try use { try $0.read(body) }
        } catch let error as SenderError {
            throw error
        } catch {
            throw .system(Self.text(error, path ?? "in memory"))
        }
    }

    /// Carries out a statement of SQL outside of a transaction, for what nothing else here does.
    ///
    /// - Returns: the first value, if there is one and it is a number.
    /// - Throws: `SenderError.system`.
    @discardableResult
    package func execute(_ sql: String) throws(SenderError) -> Int? {
        do {
            return try use { try $0.writeWithoutTransaction { db in try Int.fetchOne(db, sql: sql) } }
        } catch {
            throw .system(Self.text(error, path ?? "in memory"))
        }
    }

    /// Ends the use of the store: its file is whole without a log beside it then. Whoever still uses it gets an error.
    package func close() {
        access.withLock {
            isClosed.store(true, ordering: .relaxed)
            try? database.close()
        }
        file.withLock { $0 = nil }
    }

    private func use<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
        try access.withLock {
            guard !isClosed.load(ordering: .relaxed) else {
                throw SenderError.system("the store \(path ?? "in memory") is closed")
            }
            return try body(database)
        }
    }

    private func note(_ failure: String?) {
        let (line, tell): (String?, (@Sendable (String) -> Void)?) = trouble.withLock { trouble in
            defer { trouble.isFailing = failure != nil }
            guard trouble.isFailing != (failure != nil) else { return (nil, nil) }
            return (failure ?? "the store can be written again", trouble.tell)
        }
        if let line { tell?(line) }
    }

    private static func text(_ error: any Error, _ path: String) -> String {
        StoreError(error, path: path).description
    }
}
