import Glibc
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiSender

/// Something is there for a room, and takes its time to answer.
@Suite("A slow room", .serialized, .repeatedWhenDisturbed) struct SlowRoomTests {
    /// Takes connections, and says nothing on them.
    private static func silent() throws -> LoopbackListener {
        try LoopbackListener { peer in
            var byte: UInt8 = 0
            while recv(peer, &byte, 1, 0) > 0 {}
            close(peer)
        }
    }

    @Test("joins late, and the others begin without it")
    func late() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 8_000, rate: 8_000)
        let speaker = try await FakeSpeaker("kitchen")
        let listener = try Self.silent()
        let rooms = [RoomAddress(name: "cellar", host: "127.0.0.1", port: listener.port), speaker.room]
        let harness = try PlayerHarness([file], rooms, connectTimeout: 1_000_000_000)
        let events = await harness.player.events()
        let outcome = try await harness.run { player in
            try await eventually("it plays") { await player.status().state == .playing }
            await player.stop()
        }
        #expect(outcome.exitCode == 0)
        var notices: [PlayerNotice] = []
        for await event in events { if case .notice(let notice) = event { notices.append(notice) } }
        #expect(notices == [.roomLate(room: "cellar")])
    }

    @Test("is waited for twice as long where nobody else is there, and then it is no room")
    func alone() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 8_000, rate: 8_000)
        let listener = try Self.silent()
        let room = RoomAddress(name: "cellar", host: "127.0.0.1", port: listener.port)
        let begin = ContinuousClock.now
        let outcome = try await PlayerHarness([file], [room], connectTimeout: 500_000_000).run()
        #expect(outcome.exitCode == 3)
        #expect(outcome.message?.contains("cellar: no answer from 127.0.0.1") == true, "\(outcome.message ?? "")")
        #expect(ContinuousClock.now - begin > .seconds(1))
    }
}
