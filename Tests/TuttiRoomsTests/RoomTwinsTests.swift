import Testing
import TuttiRooms

/// Speakers that show one key at two addresses.
@Suite struct RoomTwinsTests {
    private static func room(_ name: String, _ host: String, _ id: String, port: UInt16 = 7_700) -> FoundRoom {
        FoundRoom(room: RoomAddress(name: name, host: host, port: port), id: id, version: "2", isClaimed: true)
    }

    @Test func oneKeyAtTwoAddressesIsACopy() {
        let rooms = [
            Self.room("kitchen", "10.0.0.7", "a"), Self.room("bath", "10.0.0.8", "b"),
            Self.room("hall", "10.0.0.9", "a"), Self.room("old", "10.0.0.1", ""), Self.room("older", "10.0.0.2", ""),
        ]
        let twins = RoomTwins.among(rooms)
        #expect(twins.map { $0.rooms.map(\.room.name) } == [["hall", "kitchen"]])
        #expect(twins[0].message.contains("hall (10.0.0.9:7700) and kitchen (10.0.0.7:7700)"))
        let onOneHost = [Self.room("kitchen", "10.0.0.7", "a"), Self.room("bath", "10.0.0.7", "a", port: 7_701)]
        #expect(RoomTwins.among(onOneHost).count == 1)
    }

    @Test func oneSpeakerThatIsSeenTwiceIsNone() {
        let rooms = [Self.room("kitchen", "10.0.0.7", "a"), Self.room("kitchen #2", "10.0.0.7", "a")]
        #expect(RoomTwins.among(rooms).isEmpty && RoomTwins.among([]).isEmpty)
    }
}
