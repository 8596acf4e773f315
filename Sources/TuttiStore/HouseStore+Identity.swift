import GRDB
import TuttiHost
package import TuttiRooms
import TuttiSender

extension HouseStore {
    /// Who this sender is.
    ///
    /// - Throws: `SenderError.system` when the store cannot be read.
    package func identity() throws(SenderError) -> SenderIdentity {
        let id = try read { db in try String.fetchOne(db, sql: "SELECT id FROM identity") }
        guard let id else { throw .system("the store \(path ?? "in memory") has no identity") }
        return SenderIdentity(id: id, name: SenderIdentity.hostName(), trust: trust)
    }

    func setIdentity(_ identity: SenderIdentity) throws(SenderError) {
        try write { db in
            try db.execute(sql: "INSERT OR IGNORE INTO identity (only, id) VALUES (1, ?)", arguments: [identity.id])
        }
    }

    /// Takes what earlier versions kept in files into a store that is new. The groups' file gets another name then; the
    /// identity stays where it is too, for a store that is lost.
    func takeOver(from directory: String) throws(SenderError) {
        let isNew = try read { db in try String.fetchOne(db, sql: "SELECT id FROM identity") == nil }
        guard isNew else { return }
        let identity = try SenderIdentity.load(from: directory)
        let file = GroupsFile(directory: directory)
        let groups = try file.load()
        try write { db in
            for (name, rooms) in groups { try Self.save(rooms, as: name, in: db) }
            try db.execute(sql: "INSERT OR IGNORE INTO identity (only, id) VALUES (1, ?)", arguments: [identity.id])
        }
        file.retire()
    }
}
