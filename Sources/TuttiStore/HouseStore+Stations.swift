import GRDB
import TuttiCore
import TuttiDatabase
package import TuttiRooms

/// Radio stations by name.
extension HouseStore {
    /// Stations that are kept at most.
    private static let maximumStations = 1_000

    /// All stations, by name, with their addresses.
    package func stations() throws(SenderError) -> [String: String] {
        try byKey("station", key: "name", called: "station") { row in row.value("uri") }
    }

    /// Keeps a station; one whose name differs in case and accents alone makes way.
    ///
    /// - Throws: `.notNow` where there are too many.
    package func setStation(_ name: String, to uri: String) throws(SenderError) {
        try write { db in
            let names = try String.fetchAll(db, sql: "SELECT name FROM station")
            let replaced = names.filter { Names.areSame($0, name) }
            for old in replaced { try db.execute(sql: "DELETE FROM station WHERE name = ?", arguments: [old]) }
            guard names.count - replaced.count < Self.maximumStations else {
                throw SenderError.notNow("there are \(names.count) stations already: remove some")
            }
            try db.execute(sql: "INSERT INTO station (name, uri) VALUES (?, ?)", arguments: [name, uri])
        }
    }

    /// Forgets a station.
    ///
    /// - Parameter name: as it is stored.
    package func removeStation(_ name: String) throws(SenderError) {
        try write { db in try db.execute(sql: "DELETE FROM station WHERE name = ?", arguments: [name]) }
    }
}
