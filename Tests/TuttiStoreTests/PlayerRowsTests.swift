import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiSender
import TuttiStore

@Suite struct PlayerRowsTests {
    private let folder = Folder()

    private func open() throws -> HouseStore { try HouseStore(directory: folder.path) }

    private func state(stream: UInt32, current: UInt64? = 0) throws -> PlayerRecord.State {
        let text = """
            {"stream":\(stream),"rooms":[],"encoding":{"codec":"flac","keepsOriginals":false,"bitrate":160000,"gain":1},
            "current":\(current.map(String.init) ?? "null"),"nextEntry":9,"repeatMode":"off","consumes":false,"lane":[],
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
        edit.order = PlayerRecord.Order(ids: [1, 4, UInt64.max])
        edit.removed = [3, 2]
        edit.entries = [entry(4), entry(UInt64.max)]
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
        change.state = try state(stream: 9)
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
        changes.append(PlayerChange())
        changes[1].removed = Array(20..<4_000) + [2]
        changes[1].entries = [entry(11)]
        for change in changes {
            // The first is too large for the disk, and the last one makes it small again.
            if change == changes[1] { expect(try found()["down"], is: record) }
            rows.store(change)
        }
        for change in changes { record = record.flatMap { PlayerRecord.applying(change, to: $0) } }
        expect(try found()["down"], is: record)
    }

    @Test func damagedRowsAreLeftOut() throws {
        let store = try open()
        PlayerRows(store, name: "down").store(try whole(1, [1]))
        PlayerRows(store, name: "up").store(try whole(2, [1]))
        try store.execute("UPDATE player SET sequence = x'0001' WHERE name = 'down'")
        let players = try store.players()
        #expect(players.found.map(\.name) == ["up"] && players.damaged == ["down"])
        try store.execute("UPDATE entry SET item = x'00'")
        #expect(try found().isEmpty)
        #expect(try store.execute("SELECT count(*) FROM entry") == 0)
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
