import FoundationEssentials
import GRDB
import TuttiDatabase
import TuttiRooms
import TuttiSchema
import TuttiSender

/// The rows of one player, as far as they can be understood.
struct PlayerParts {
    let number: Int64
    let name: String
    private let state: PlayerRecord.State?
    private let order: PlayerRecord.Order?
    private let numbers: [UInt64]
    private let entries: [PlayerRecord.Entry]
    /// The rows that cannot be understood; that of the player itself stays in its place.
    private(set) var damage: [HouseStore.DamagedRow] = []
    /// All of its rows.
    private(set) var all: [HouseStore.DamagedRow] = []
    /// Entries, whole and damaged.
    let count: Int

    /// Reads what belongs to a row of the table of players.
    init(_ row: Row, _ db: Database) throws {
        number = row.value("id") ?? 0
        name = row.value("name") ?? ""
        state = (row.value("state") as Data?).flatMap { JSONLine.decode($0) }
        let sequence: Data? = row.value("sequence")
        order = OrderBlob.order(sequence)
        numbers = OrderBlob.numbers(sequence)
        let player = HouseStore.DamagedRow("player", row, key: ["id"])
        if state == nil || order == nil || (row.value("name") as String?) == nil { damage.append(player) }
        var entries: [PlayerRecord.Entry] = []
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM entry WHERE player = ? ORDER BY id", arguments: [number])
        for row in rows {
            let key = HouseStore.DamagedRow("entry", row, key: ["player", "id"])
            all.append(key)
            if let data: Data = row.value("item"), let entry: PlayerRecord.Entry = JSONLine.decode(data),
                let id: Int64 = row.value("id"), UInt64(bitPattern: id) == entry.id
            {
                entries.append(entry)
            } else {
                damage.append(key)
            }
        }
        all.append(player)
        self.entries = entries
        count = rows.count
    }

    /// The record, where all of it is whole and a player takes it.
    var record: PlayerRecord? {
        guard let state, let order else { return nil }
        let record = PlayerRecord(state: state, order: order, entries: entries)
        return record.isUsable ? record : nil
    }

    /// What a record can be made of.
    func remains(in rooms: [RoomAddress]) -> PlayerRecord.Remains {
        PlayerRecord.Remains(state: state, order: order, numbers: numbers, entries: entries, rooms: rooms)
    }
}
