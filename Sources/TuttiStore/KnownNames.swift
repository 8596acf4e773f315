import GRDB
import TuttiDatabase

/// The names of rooms and groups in a store, for whoever completes words while they are typed: read at once or not at
/// all.
package struct KnownNames: Sendable {
    /// Rooms that were played in.
    package var rooms: [String] = []
    /// Groups that were made.
    package var groups: [String] = []

    /// Seconds that another process's change is waited for.
    private static let patience = 0.05

    /// No names.
    package init() {}

    /// The names in the store of `directory`; none where there is no store or it cannot be read now. Nothing is made or
    /// changed.
    package init(directory: String) {
        let path = directory + "/" + HouseStore.fileName
        guard StoreFile.exists(path), StoreFile.flaw(of: path) == nil else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.patience)
        guard let database = try? DatabaseQueue(path: path, configuration: configuration) else { return }
        defer { try? database.close() }
        rooms = Self.names("room", database)
        groups = Self.names("roomGroup", database)
    }

    private static func names(_ table: String, _ database: DatabaseQueue) -> [String] {
        let rows = try? database.read { db in
            try Row.fetchAll(db, sql: "SELECT name FROM \(table) ORDER BY name LIMIT 1000")
        }
        return rows?.compactMap { $0.value("name") as String? } ?? []
    }
}
