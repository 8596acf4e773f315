import Testing
import TuttiCommandLine
import TuttiSchema
import TuttiSender

@Suite struct SyncHistoryTests {
    private func room(_ name: String, address: String = "10.0.0.7:7700", state: String = "playing", _ error: Double?)
        throws -> RoomStatus
    {
        let text = """
            {"name":"\(name)","address":"\(address)","state":"\(state)","loaded":[],"likelyToKeepUp":true,"stalls":0,"xruns":0}
            """
        var room: RoomStatus = try #require(JSONLine.decode(text.utf8))
        room.syncErrorUs = error
        return room
    }

    @Test func keepsRoomsApartAndGapsWhereNothingPlays() throws {
        var history = SyncHistory()
        let (first, second) = (try room("a", 1), try room("a", address: "10.0.0.8:7700", 2))
        history.append([first, second])
        history.append([try room("a", state: "paused", 3), second])
        #expect(history[first] == [1, nil])
        #expect(history[second] == [2, 2])
    }

    @Test func forgetsWhatIsOldAndWhoLeft() throws {
        var history = SyncHistory()
        let (first, second) = (try room("a", 1), try room("b", 2))
        for _ in 0..<1500 { history.append([first, second]) }
        #expect(history[first].count == 1000)
        history.append([second])
        #expect(history[first].isEmpty)
        #expect(history[second].count == 1000)
    }
}
