import TestSupport
import Testing
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender

@Suite("A room plays what a person asked for last", .serialized, .repeatedWhenDisturbed) struct ClaimTests {
    private static func file(_ scratch: Scratch) throws -> String {
        try scratch.wave("a.wav", frames: 60 * 8_000, rate: 8_000)
    }

    @Test("The one that was asked before is told by whom, and is over where that was its only room")
    func taken() async throws {
        let scratch = try Scratch()
        let file = try Self.file(scratch)
        let speaker = try await FakeSpeaker("kitchen")
        let first = try PlayerHarness([file], [speaker.room], name: "desk").player
        let second = try PlayerHarness([file], [speaker.room], name: "tablet").player
        async let ended = first.run()
        try await eventually("the first plays") { speaker.wasStarted }
        let before = speaker.inspect { $0.stream }
        async let other = second.run()
        let outcome = await ended
        #expect(outcome.exitCode == 4 && outcome.message == "kitchen: tablet plays here now")
        #expect(outcome.error == .roomTaken("kitchen", reason: "tablet plays here now"))
        try await eventually("the second plays") { await second.status().state == .playing }
        #expect(speaker.inspect { $0.stream } != before)
        await second.stop()
        #expect(await other.exitCode == 0)
    }

    @Test("A player that stays in its rooms is held, leaves the room alone, and takes it again when it is asked to")
    func takenBack() async throws {
        let scratch = try Scratch()
        let file = try Self.file(scratch)
        let speaker = try await FakeSpeaker("kitchen")
        let first = try PlayerHarness([file], [speaker.room], staysAtEnd: true, name: "desk").player
        let second = try PlayerHarness([file], [speaker.room], name: "tablet").player
        async let ended = first.run()
        try await eventually("the first plays") { speaker.wasStarted }
        async let other = second.run()
        try await eventually("the first is held") { await first.status().state == .paused }
        let room = try #require(await first.status().rooms.first)
        #expect(room.state == .taken && room.message == "kitchen: tablet plays here now")
        try await eventually("the second plays") { await second.status().state == .playing }
        let stream = speaker.inspect { $0.stream }
        try await Task.sleep(for: .seconds(1))
        #expect(speaker.inspect { $0.stream } == stream)
        try await first.resume()
        #expect(await other.exitCode == 4)
        try await eventually("the first plays again") { await first.status().state == .playing }
        await first.stop()
        _ = await ended
    }

    @Test("Of two rooms one is taken, and the other plays on")
    func oneOfTwo() async throws {
        let scratch = try Scratch()
        let file = try Self.file(scratch)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let first = try PlayerHarness([file], speakers.map(\.room), name: "desk").player
        let second = try PlayerHarness([file], [speakers[1].room], name: "tablet").player
        async let ended = first.run()
        try await eventually("the first plays") { speakers.allSatisfy(\.wasStarted) }
        async let other = second.run()
        try await eventually("one is taken") { await first.status().rooms.map(\.state).last == .taken }
        #expect(await first.status().state == .playing)
        #expect(speakers[0].inspect { $0.flushes } == 0)
        await first.stop()
        await second.stop()
        _ = await (ended, other)
    }
}
