import TestSupport
import Testing
import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

@Suite("Rooms come and go while it plays", .serialized, .repeatedWhenDisturbed) struct RoomMoveTests {
    @Test("A room that is added falls in on the line, one that is taken out is let go")
    func comeAndGo() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 8_000, rate: 8_000)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let journal = MemoryJournal()
        let player = try PlayerHarness([file], [speakers[0].room], journal: journal).player
        async let ended = player.run()
        try await eventually("it plays") { speakers[0].wasStarted }
        try await player.addRoom(speakers[1].room)
        #expect(try journal.record?.state.rooms.map(\.address.name) == ["kitchen", "bath"])
        try await eventually("the other has the line") {
            let line = speakers[0].inspect { $0.timebases.last }
            return speakers[1].inspect { $0.timebases.last } == line && speakers[1].inspect { !$0.packets.isEmpty }
        }
        await #expect(throws: SenderError.notNow("bath is already one of the rooms")) {
            try await player.addRoom(speakers[1].room)
        }
        try await player.removeRoom("Kitchen")
        #expect(try journal.record?.state.rooms.map(\.address.name) == ["bath"])
        try await eventually("it is let go") { speakers[0].inspect { $0.goodbyes.count } == 1 }
        #expect(await player.status().rooms.map(\.name) == ["bath"])
        await #expect(throws: SenderError.notNow("bath is the only room; stop playback instead")) {
            try await player.removeRoom("bath")
        }
        await #expect(throws: SenderError.noSuchRoom("attic")) { try await player.removeRoom("attic") }
        #expect(await player.status().state == .playing && speakers[1].inspect { $0.flushes } == 0)
        // It may come back.
        try await player.addRoom(speakers[0].room)
        try await eventually("it is back") {
            speakers[0].inspect { $0.timebases.last } == speakers[1].inspect { $0.timebases.last }
        }
        await player.stop()
        _ = await ended
    }

    @Test(
        "A room that does not hear that it is taken out is told later, by another process if need be",
        arguments: [false, true])
    func farewell(isFromAnother: Bool) async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 8_000, rate: 8_000)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let journal = MemoryJournal()
        let first = try PlayerHarness([file], speakers.map(\.room), journal: journal).player
        var (player, ended) = (first, Task { await first.run() })
        try await eventually("it plays") { speakers.allSatisfy(\.wasStarted) }
        speakers[0].stopsReading()
        try await player.removeRoom("kitchen")
        let record = try #require(try journal.record)
        #expect(record.state.rooms.map(\.address.name) == ["bath"])
        #expect(record.state.farewells?.map(\.address.name) == ["kitchen"])
        if isFromAnother {
            await player.detach()
            _ = await ended.value
            let identity = SenderIdentity(id: "another host", name: "attic")
            let second = try Player(
                try record.configuration(identity: identity, clock: HostClock()), restoring: record, journal: journal)
            (player, ended) = (second, Task { await second.run() })
        }
        // On the connection that it did not read, too, it may hear of it once that is closed.
        try await eventually("it is told") { !speakers[0].inspect { $0.goodbyes.isEmpty } }
        try await eventually("that is forgotten") { (try? journal.record?.state.farewells?.isEmpty) == true }
        #expect(speakers[1].inspect { $0.goodbyes.isEmpty })
        await player.stop()
        _ = await ended.value
    }

    @Test("Rooms that have forgotten everything begin again near the place that was heard")
    func forgotten() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 8_000, rate: 8_000)
        let speaker = try await FakeSpeaker("kitchen")
        let journal = MemoryJournal()
        let harness = try PlayerHarness(
            [file], [speaker.room], startAt: MediaTime(frame: 33, sampleRate: 1), journal: journal)
        async let ended = harness.player.run()
        try await eventually("it plays") { speaker.wasStarted }
        let record = try #require(try journal.record)
        await harness.player.detach()
        _ = await ended
        #expect(speaker.inspect { $0.goodbyes.isEmpty })
        speaker.restart()
        let identity = SenderIdentity(id: "another host", name: "attic")
        let again = try Player(try record.configuration(identity: identity, clock: HostClock()), restoring: record)
        async let outcome = again.run()
        try await eventually("it plays again") { speaker.wasStarted }
        let place = try #require(speaker.inspect { $0.timebases.last?.media.seconds })
        #expect(place == 33)
        #expect(await again.listing().entries.map(\.id) == record.order.ids)
        await again.stop()
        _ = await outcome
    }

    @Test("The log stays bounded where a room takes nothing")
    func backPressure() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 600 * 8_000, rate: 8_000)
        let speakers = [
            try await FakeSpeaker("kitchen", bufferSeconds: 20), try await FakeSpeaker("bath", bufferSeconds: 20),
        ]
        let player = try PlayerHarness([file], speakers.map(\.room), codec: .pcm).player
        async let ended = player.run()
        try await eventually("it plays") { speakers.allSatisfy(\.wasStarted) }
        speakers[1].stopsReading()
        try await Task.sleep(for: .seconds(2))
        // What the deepest room takes, ten seconds beyond, and half a minute behind: at 32 kB a second.
        #expect(await player.logBytes < 65 * 32_000)
        await player.stop()
        _ = await ended
    }
}
