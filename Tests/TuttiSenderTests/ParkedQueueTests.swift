import Testing
import TuttiAssets
import TuttiHost
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender

/// A queue that does not play.
@Suite struct ParkedQueueTests {
    @Test("it begins at the entry that somebody goes to")
    func jump() async throws {
        let configuration = PlayerConfiguration(
            inputs: ["a", "b", "c"].map { AssetInput(uri: "/music/\($0).flac") },
            rooms: [RoomAddress(name: "kitchen", host: "127.0.0.1")], encoding: try EncodingOptions(),
            identity: SenderIdentity(id: "id", name: "test"), clock: HostClock())
        let player = try Player(configuration, isParked: true)
        try await player.jump(to: .index(2))
        #expect(await player.status().item?.uri == "/music/c.flac")
        #expect(await player.listing().entries.count == 3)
        let leftover = await player.leftover()
        let record = try #require(leftover)
        #expect(record.state.current == 2 && record.state.isStopped == true)
        var wasRefused = false
        do { try await player.jump(to: .index(3)) } catch { wasRefused = true }
        #expect(wasRefused)
        #expect(await player.listing().index == 2)
    }
}
