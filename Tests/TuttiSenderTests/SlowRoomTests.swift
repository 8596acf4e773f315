import Glibc
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiRooms
import TuttiSchema
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

    @Test("that is loaded gently is not taken for one behind a link that is stuck, however little there is to send")
    func gently() async throws {
        let scratch = try Scratch()
        // Some kB a second in FLAC: twice as many would take longer for two of this host's segments than a link that is
        // stuck.
        var dice = SplitMix64(seed: 3)
        let hiss = (0..<(6 * 60 * 8_000)).map { _ in Int16(dice.next() % 2) }
        let file = try scratch.wave("a.wav", rate: 8_000, samples: hiss)
        let speaker = try await FakeSpeaker("kitchen")
        speaker.hardlyKnowsItsClock()
        let harness = try PlayerHarness([file], [speaker.room])
        let outcome = try await harness.run { player in
            try await eventually("it plays") { await player.status().state == .playing }
            try await Task.sleep(for: .seconds(9))
            await player.stop()
        }
        #expect(outcome.exitCode == 0)
        // One for commands and one for sound.
        #expect(speaker.inspect { $0.lastID } == 2)
    }
}
