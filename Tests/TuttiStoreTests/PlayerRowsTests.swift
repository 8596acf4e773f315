import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

@Suite struct PlayerRowsTests {
    private let folder = Folder()

    private func open() throws -> HouseStore { try HouseStore(directory: folder.path) }

    private func state(stream: UInt32, current: UInt64? = 0, rooms: String = "[]") throws -> PlayerRecord.State {
        let text = """
            {"stream":\(stream),"rooms":\(rooms),"encoding":{"codec":"flac","keepsOriginals":false,"bitrate":160000,"gain":1},
            "current":\(current.map(String.init) ?? "null"),"nextEntry":18446744073709551615,"repeatMode":"off","consumes":false,"lane":[],
            "nextSerial":0,"followed":-1,"rate":1,"crossfade":\(zero),"line":{"rate":0,"media":\(zero),"group":5,"timescale":7},
            "earlierLines":[],"heard":\(zero),"isHeld":false}
            """
        return try JSONDecoder().decode(PlayerRecord.State.self, from: Data(text.utf8))
    }

    private var zero: String { String(decoding: JSONLine.encode(MediaTime.zero), as: UTF8.self) }

    private func entry(_ id: UInt64) -> PlayerRecord.Entry {
        PlayerRecord.Entry(id: id, input: AssetInput(uri: "/music/\(id).flac"))
    }

    private func whole(_ stream: UInt32, _ ids: [UInt64], unshuffled: [UInt64]? = nil) throws -> PlayerChange {
        var change = PlayerChange()
        change.isWhole = true
        change.state = try state(stream: stream, current: ids.first)
        change.order = PlayerRecord.Order(ids: ids, unshuffled: unshuffled)
        change.entries = ids.map(entry)
        return change
    }

    /// What another process finds, by the name of the group.
    private func found() throws -> [String: PlayerRecord] {
        Dictionary(try open().players().found.map { ($0.name, $0.record) }) { first, _ in first }
    }

    private func expect(_ record: PlayerRecord?, is other: PlayerRecord?) {
        #expect(record?.state == other?.state && record?.order == other?.order)
        #expect(record?.entries.sorted { $0.id < $1.id } == other?.entries.sorted { $0.id < $1.id })
    }

    @Test func aRecordIsThereWithAllItsChanges() throws {
        let rows = PlayerRows(try open(), name: "down")
        let first = try whole(7, [3, 1, 2], unshuffled: [1, 2, 3])
        var record = PlayerRecord.applying(first, to: nil)
        rows.store(first)
        expect(try found()["down"], is: record)
        var edit = PlayerChange()
        edit.order = PlayerRecord.Order(ids: [1, 4, UInt64.max - 1])
        edit.removed = [3, 2]
        edit.state = try state(stream: 7, current: 1)
        edit.entries = [entry(4), entry(UInt64.max - 1)]
        rows.store(edit)
        record = record.flatMap { PlayerRecord.applying(edit, to: $0) }
        expect(try found()["down"], is: record)
        rows.remove()
        #expect(try found().isEmpty)
        // The last words of a player that is over.
        rows.store(edit)
        #expect(try found().isEmpty)
    }

    @Test func theLastPlayerOfAGroupCounts() throws {
        let store = try open()
        let (old, new, other) = (
            PlayerRows(store, name: "down"), PlayerRows(store, name: "down"), PlayerRows(store, name: "up")
        )
        old.store(try whole(1, [1]))
        other.store(try whole(2, [1]))
        new.store(try whole(3, []))
        #expect(try found().mapValues { $0.state.stream } == ["down": 3, "up": 2])
        // The first one has left the store, and its end takes nothing away.
        old.remove()
        #expect(try found().count == 2)
        // One that goes on writes where it wrote.
        let stored = try #require(try store.players().found.first { $0.name == "up" })
        var change = PlayerChange()
        change.state = try state(stream: 9, current: 1)
        PlayerRows(store, name: "up", number: stored.number).store(change)
        #expect(try found()["up"]?.state.stream == 9 && found()["up"]?.entries == [entry(1)])
    }

    @Test func whatCouldNotBeStoredIsStoredLater() throws {
        let store = try open()
        let rows = PlayerRows(store, name: "down")
        let first = try whole(1, [1, 2])
        rows.store(first)
        var record = PlayerRecord.applying(first, to: nil)
        try store.limitPages()
        var changes = [PlayerChange()]
        changes[0].entries = (10..<4_000).map(entry)
        changes[0].order = PlayerRecord.Order(ids: [1, 2] + Array(10..<4_000))
        changes.append(PlayerChange())
        changes[1].removed = Array(20..<4_000) + [2]
        changes[1].order = PlayerRecord.Order(ids: [1] + Array(10..<20))
        changes[1].entries = [entry(11)]
        for change in changes {
            // The first is too large for the disk, and the last one makes it small again.
            if change == changes[1] { expect(try found()["down"], is: record) }
            rows.store(change)
        }
        for change in changes { record = record.flatMap { PlayerRecord.applying(change, to: $0) } }
        expect(try found()["down"], is: record)
    }

    @Test func aDamagedRowTakesNothingElseAlong() throws {
        let store = try open()
        let lines = Lines()
        store.onTrouble { lines.append($0) }
        PlayerRows(store, name: "down").store(try whole(1, [3, 1, 2]))
        PlayerRows(store, name: "up").store(try whole(2, [1]))
        try store.execute("UPDATE entry SET item = x'00' WHERE id = 1 AND player = 1")
        let players = try store.players()
        #expect(players.found.map(\.name) == ["down", "up"] && players.damaged == ["down"])
        #expect(players.found[0].record.order.ids == [3, 2])
        #expect(lines.all == store.damage && lines.all.count == 1)
        #expect(lines.all[0].hasPrefix("the queue of down was damaged in the store: 1 track is lost, 2 remain"))
        #expect(try store.execute("SELECT count(*) FROM damagedRow WHERE origin = 'entry'") == 1)
        // It is said once.
        #expect(try store.players().damaged.isEmpty)
        #expect(lines.all.count == 1)
        // Nothing is left of it, and it is kept all the same.
        try store.execute("UPDATE entry SET item = x'00' WHERE player = 2")
        #expect(try found().keys.sorted() == ["down"])
        #expect(try store.execute("SELECT count(*) FROM damagedRow") == 3)
    }

    @Test func aDamagedOrderOrStateLeavesTheQueue() throws {
        let store = try open()
        let ids: [UInt64] = [5, 3, 8, 1]
        PlayerRows(store, name: "kitchen+bath").store(try whole(1, ids, unshuffled: [1, 3, 5, 8]))
        try store.execute("UPDATE player SET state = x'7B'")
        let record = try #require(try found()["kitchen+bath"])
        #expect(record.order.ids == ids && record.state.rooms.map(\.address.name) == ["kitchen", "bath"])
        #expect(record.state.isHeld && record.state.current == 5)
        try store.execute("UPDATE player SET sequence = x'0001'")
        #expect(try found()["kitchen+bath"]?.order.ids == [1, 3, 5, 8])
    }

    @Test("Each byte of each row damaged in turn: all that is whole stays")
    func everyByte() throws {
        let store = try open()
        let ids: [UInt64] = [2, 0, 3, 1]
        var change = try whole(1, ids, unshuffled: ids.sorted())
        let hall = """
            [{"address":{"name":"hall","port":7700},"isDiscovered":true,"isMuted":false,"generation":0,"flushes":[]}]
            """
        change.state = try state(stream: 1, current: 2, rooms: hall)
        PlayerRows(store, name: "down").store(change)
        try store.setGroup("down", to: [RoomAddress(name: "kitchen", host: "10.0.0.7"), RoomAddress(name: "bath")])
        try store.setGroup("up", to: [RoomAddress(name: "attic")])
        try store.remember([
            HouseStore.KnownRoom(name: "bath", speaker: "b", address: "10.0.0.8:7700", volume: 40, isMuted: false)
        ])
        _ = try store.addSchedule(ScheduleRecord(when: "07:00", made: 5, group: "up", order: nil))
        try store.execute("CREATE TABLE kept AS SELECT * FROM player")
        try store.execute("CREATE TABLE keptEntry AS SELECT * FROM entry")
        for (column, table) in [("state", "player"), ("sequence", "player"), ("item", "entry")] {
            for row in 0..<(table == "entry" ? ids.count : 1) {
                let place = table == "entry" ? "id = \(row)" : "id = 1"
                let length = try #require(try store.execute("SELECT length(\(column)) FROM \(table) WHERE \(place)"))
                for byte in 0..<length {
                    for value in [byte % 2 == 0 ? "00" : "FF", byte % 3 == 0 ? "39" : "22"] {
                        try damage(column, of: table, at: byte, to: value, where: place, in: store)
                        let found = try store.players().found
                        let left = try #require(found.first?.record, "\(table).\(column) \(row) byte \(byte) \(value)")
                        let expected = Set(ids).subtracting(table == "entry" ? [UInt64(row)] : [])
                        let isKept = Set(left.order.ids).isSuperset(of: expected) && left.isUsable
                        #expect(isKept, "\(table).\(column) \(row) byte \(byte) \(value): \(left.order)")
                        try restore(store)
                    }
                }
            }
        }
        for (column, table) in [
            ("rooms", "roomGroup"), ("name", "roomGroup"), ("address", "room"), ("content", "schedule"),
        ] {
            for byte in 0..<20 {
                try store.execute("CREATE TABLE before AS SELECT * FROM \(table)")
                try store.execute(
                    "UPDATE \(table) SET \(column) = CAST(substr(CAST(\(column) AS BLOB), 1, \(byte)) || x'FF' || "
                        + "substr(CAST(\(column) AS BLOB), \(byte + 2)) AS TEXT) WHERE \(table == "roomGroup" ? "name = 'down'" : "true")"
                )
                #expect(try store.groups()["up"]?.count == 1)
                #expect(try store.rooms().count <= 1 && store.schedules().count <= 1)
                try store.execute("DELETE FROM \(table)")
                try store.execute("INSERT INTO \(table) SELECT * FROM before")
                try store.execute("DROP TABLE before")
            }
        }
    }

    private func damage(
        _ column: String, of table: String, at byte: Int, to value: String, where place: String, in store: HouseStore
    ) throws {
        try store.execute(
            "UPDATE \(table) SET \(column) = CAST(substr(\(column), 1, \(byte)) || x'\(value)' || substr(\(column), \(byte + 2)) AS BLOB) WHERE \(place)"
        )
    }

    private func restore(_ store: HouseStore) throws {
        for statement in [
            "DELETE FROM player", "DELETE FROM entry", "DELETE FROM damagedRow",
            "INSERT INTO player SELECT * FROM kept",
            "INSERT INTO entry SELECT * FROM keptEntry",
        ] { try store.execute(statement) }
    }

    @Test func schedulesKeepTheirNumbers() throws {
        let store = try open()
        var order = PlayOrder(inputs: [ControlInput(AssetInput(uri: "/a.flac"), directory: "/")])
        order.rooms = ["kitchen"]
        var record = ScheduleRecord(when: "07:00", made: 5, group: "kitchen", order: order)
        let number = try store.addSchedule(record)
        record.done = 9
        try store.updateSchedule(number, record)
        #expect(try open().schedules() == [number: record])
        #expect(throws: SenderError.noSuchSchedule(99)) { try store.removeSchedules([number, 99]) }
        #expect(try store.schedules().count == 1)
        try store.removeSchedules([number])
        #expect(try store.addSchedule(record) > number)
    }
}
