import Synchronization
import TestSupport
import Testing
import TuttiHouse
import TuttiRooms
import TuttiSchema

@Suite("Readings of idle rooms", .repeatedWhenDisturbed) struct RoomReadingsTests {
    /// Answers for all rooms but `away`, and counts the visits.
    private final class Rooms: Sendable {
        private let visits = Mutex<[String: Int]>([:])

        func count(_ name: String) -> Int { visits.withLock { $0[name] ?? 0 } }

        var read: RoomReadings.Reader {
            { rooms in
                for room in rooms { self.visits.withLock { $0[room.name, default: 0] += 1 } }
                try? await Task.sleep(for: .milliseconds(20))
                var levels: [RoomAddress: RoomStatus] = [:]
                for room in rooms where room.name != "away" {
                    levels[room] = RoomStatus(name: room.name, address: "10.0.0.1:7700", state: .idle)
                }
                return levels
            }
        }
    }

    private static func addresses(_ names: String...) -> [RoomAddress] { names.map { RoomAddress(name: $0) } }

    @Test("twenty who ask at once are one visit of each room, and each gets the rooms that it asked for, in its order")
    func shared() async {
        let (readings, rooms) = (RoomReadings(), Rooms())
        await withTaskGroup(of: [String].self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await readings.levels(of: Self.addresses("bath", "away", "attic"), rooms.read).map(\.name)
                }
            }
            for await names in group { #expect(names == ["bath", "attic"]) }
        }
        #expect(["bath", "away", "attic"].map(rooms.count) == [1, 1, 1])
        #expect(
            await readings.levels(of: Self.addresses("study", "bath"), rooms.read).map(\.name) == ["study", "bath"])
        #expect(rooms.count("study") == 1)
    }

    @Test("after a change, and after a while, rooms are read anew")
    func renewed() async throws {
        let (readings, rooms) = (RoomReadings(), Rooms())
        _ = await readings.levels(of: Self.addresses("bath"), rooms.read)
        await readings.forget()
        _ = await readings.levels(of: Self.addresses("bath"), rooms.read)
        #expect(rooms.count("bath") == 2)
        try await Task.sleep(for: .milliseconds(600))
        _ = await readings.levels(of: Self.addresses("bath"), rooms.read)
        #expect(rooms.count("bath") == 3)
    }
}
