import Synchronization
import Testing
import TuttiCore
import TuttiHouse
import TuttiRooms
import TuttiSender
import TuttiWire

/// Which rooms are told whom the household has revoked, and how often.
@Suite struct RevocationNewsTests {
    /// Counts the looks at rooms, and answers for those that are there.
    private final class Rooms: Sendable {
        let away: Mutex<Set<String>>
        let looks = Mutex<[String: Int]>([:])

        init(away: Set<String>) { self.away = Mutex(away) }

        var network: RoomNetwork {
            RoomNetwork(
                find: { _ in [:] }, look: { self.look(at: $0) }, share: { address, _ in self.look(at: address) },
                open: { _, _, _ in .success(nil) })
        }

        private func look(at address: RoomAddress) -> Result<RoomLook, SenderError> {
            looks.withLock { $0[address.name, default: 0] += 1 }
            if address.name == "stranger" { return .failure(.roomRefused(address.label, reason: "another household")) }
            guard !away.withLock({ $0.contains(address.name) }) else {
                return .failure(.roomUnreachable(address.label, reason: "nobody answers"))
            }
            let welcome = Welcome(
                id: address.name, name: address.name, bufferSeconds: 300, bufferBytes: 1, codecs: [], device: "null",
                deviceFormat: "")
            return .success(RoomLook(welcome: welcome, status: SpeakerStatus(state: .idle)))
        }
    }

    private let addresses = ["here", "away", "stranger"].map { RoomAddress(name: $0, host: "10.0.0.7") }

    @Test("where nobody was ever revoked no room is asked")
    func nobody() async {
        let rooms = Rooms(away: [])
        var news = RevocationNews(network: rooms.network)
        await news.tell(addresses, serial: 0)
        #expect(rooms.looks.withLock { $0.isEmpty })
    }

    @Test("a room that answers, or refuses, is asked once; one that is away is asked until it is back, then once")
    func away() async {
        let rooms = Rooms(away: ["away"])
        var news = RevocationNews(network: rooms.network)
        for _ in 0..<3 { await news.tell(addresses, serial: 1) }
        #expect(rooms.looks.withLock { $0 } == ["here": 1, "away": 3, "stranger": 1])
        rooms.away.withLock { $0 = [] }
        for _ in 0..<3 { await news.tell(addresses, serial: 1) }
        #expect(rooms.looks.withLock { $0 } == ["here": 1, "away": 4, "stranger": 1])
        await news.tell(addresses, serial: 2)
        #expect(rooms.looks.withLock { $0 } == ["here": 2, "away": 5, "stranger": 2], "a new list is told to all")
    }
}
