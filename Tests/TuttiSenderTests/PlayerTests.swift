import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

@Suite(.serialized, .repeatedWhenDisturbed) struct PlayerTests {
    @Test func twoRoomsGetTheWholeProgrammeWithoutAGap() async throws {
        let scratch = try Scratch()
        let files = [
            try scratch.wave("a.wav", frames: 22_051, rate: 44_100),
            try scratch.wave("b.wav", frames: 24_001, rate: 48_000),
        ]
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        let outcome = try await PlayerHarness(files, speakers.map(\.room)).run()
        #expect(outcome.exitCode == 0 && outcome.message == nil)
        let end = MediaTime(frame: 22_051, sampleRate: 44_100) + MediaTime(frame: 24_001, sampleRate: 48_000)
        for speaker in speakers {
            let packets = speaker.inspect { $0.packets }
            #expect(packets.first?.presentationTime == .zero)
            #expect(packets.last?.timeRange.end == end)
            for (packet, next) in zip(packets, packets.dropFirst()) {
                #expect(packet.timeRange.end == next.presentationTime)
            }
            #expect(speaker.inspect { $0.end } == end)
            #expect(speaker.inspect { $0.goodbyes.count } == 1)
        }
        #expect(speakers[0].inspect { $0.packets } == speakers[1].inspect { $0.packets })
        #expect(speakers[0].inspect { $0.timebases.last } == speakers[1].inspect { $0.timebases.last })
        #expect(speakers[0].inspect { $0.timebases.last?.media } == .zero)
    }

    @Test(arguments: [AudioFormat.Codec.opus, .pcm])
    func otherCodecsLastAsLong(codec: AudioFormat.Codec) async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 22_050, rate: 44_100)
        let speaker = try await FakeSpeaker("kitchen")
        let outcome = try await PlayerHarness([file], [speaker.room], codec: codec).run()
        #expect(outcome.exitCode == 0)
        let packets = speaker.inspect { $0.packets }
        #expect(packets.allSatisfy { $0.format.codec == codec })
        #expect(packets.last?.timeRange.end == MediaTime(frame: 1, sampleRate: 2))
    }

    @Test func aGainScalesWhatIsSentWithoutLosingItsLastBits() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 4_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        let outcome = try await PlayerHarness([file], [speaker.room], codec: .pcm, gain: 0.25).run()
        #expect(outcome.exitCode == 0)
        let packets = speaker.inspect { $0.packets }
        #expect(packets.allSatisfy { $0.format.bitDepth == 24 })
        let bytes = packets.flatMap(\.data)
        try #require(bytes.count == 4_000 * 6)
        for frame in 0..<4_000 {
            let whole = bytes[6 * frame..<6 * frame + 3].reversed().reduce(Int32(0)) { $0 << 8 | Int32($1) }
            let sample = (whole << 8) >> 8
            guard sample == Int32(Int16(truncatingIfNeeded: frame * 7)) * 64 else {
                Issue.record("frame \(frame) is \(sample)")
                return
            }
        }
    }

    @Test func aPlayerThatHasEndedLeavesNothingBehind() async throws {
        weak var speaker: FakeSpeaker?
        weak var player: Player?
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 8_000, rate: 8_000)
        do {
            let kitchen = try await FakeSpeaker("kitchen")
            let harness = try PlayerHarness([file], [kitchen.room])
            (speaker, player) = (kitchen, harness.player)
            _ = try await harness.run { player in
                try await eventually("it plays") { kitchen.wasStarted }
                await player.stop()
            }
        }
        try await eventually("the player is gone") { player == nil }
        try await eventually("the speaker is gone") { speaker == nil }
    }

    @Test("many rooms get some seconds each before any gets more, and the rest once they play")
    func manyRoomsBeginBeforeAnyIsFilled() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 160_000, rate: 8_000)
        var speakers: [FakeSpeaker] = []
        for number in 1...18 { speakers.append(try await FakeSpeaker("room \(number)")) }
        let rooms = speakers
        let last = try #require(rooms.last)
        last.fallsSilent()
        _ = try await PlayerHarness([file], rooms.map(\.room)).run { player in
            try await eventually("the first have what they need") {
                rooms.dropLast().allSatisfy { $0.heldSeconds >= 4 }
            }
            try await Task.sleep(for: .milliseconds(300))
            #expect(rooms.allSatisfy { !$0.wasStarted && $0.heldSeconds <= 6 })
            last.speaksAgain()
            try await eventually("all play, and hold the whole track") {
                rooms.allSatisfy { $0.wasStarted && $0.heldSeconds >= 20 }
            }
            await player.stop()
        }
    }

    @Test func whatCannotBePlayedIsNamedAndLeftOut() async throws {
        let scratch = try Scratch()
        let good = try scratch.wave("good.wav", frames: 9600, rate: 48_000)
        let noise = try scratch.file("noise.mp3", Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 7) }))
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([scratch.path + "/missing.flac", noise, good], [speaker.room])
        let events = await harness.player.events()
        let outcome = try await harness.run()
        #expect(outcome.exitCode == 1)
        var failures: [Int] = []
        for await event in events {
            if case .itemFailed(let index, _, let message, _) = event {
                failures.append(index)
                #expect(message.contains(index == 0 ? "missing.flac" : "noise.mp3"))
            }
        }
        #expect(failures == [0, 1])
        #expect(speaker.inspect { $0.packets.last?.timeRange.end } == MediaTime(frame: 9600, sampleRate: 48_000))
    }

    @Test func nothingPlayableStartsNothing() async throws {
        let speaker = try await FakeSpeaker("kitchen")
        let outcome = try await PlayerHarness(["/nonexistent/a.flac"], [speaker.room]).run()
        #expect(outcome.exitCode == 3)
        #expect(!speaker.wasStarted)
    }

    @Test func aLibraryThatIsNotThereIsNotReadThrough() async throws {
        let scratch = try Scratch()
        let good = try scratch.wave("good.wav", frames: 9600, rate: 48_000)
        let gone = (0..<400).map { "/nonexistent/\($0).flac" }
        let speaker = try await FakeSpeaker("kitchen")
        let silent = try PlayerHarness(gone + [good], [speaker.room])
        let complaints = await silent.player.events()
        let nothing = try await silent.run()
        #expect(nothing.exitCode == 3 && nothing.message?.hasPrefix("100 tracks in a row") == true, "\(nothing)")
        for await event in complaints {
            if case .notice(let text) = event { Issue.record("said before the end: \(text)") }
        }
        #expect(!speaker.wasStarted)
        // What was reached stays the place to go on at.
        let journal = MemoryJournal()
        let harness = try PlayerHarness([good] + gone + [good], [speaker.room], journal: journal)
        let events = await harness.player.events()
        let outcome = try await harness.run()
        #expect(outcome.exitCode == 1 && speaker.wasStarted, "\(outcome)")
        let remains = try #require(await harness.player.remains)
        #expect(remains.state.current == 1 && remains.state.heard == .zero && remains.order.ids.count == 402)
        var said = 0
        for await event in events {
            if case .notice(.givenUp(failures: 100)) = event { said += 1 }
        }
        #expect(said == 1)
    }

    @Test func whatIsWaitedForAndCannotBePlayedEndsTheQueue() async throws {
        let scratch = try Scratch()
        let good = try scratch.wave("good.wav", frames: 48_000, rate: 48_000)
        // Opening it lasts until somebody writes there.
        let slow = scratch.path + "/slow.flac"
        try #require(mkfifo(slow, 0o600) == 0)
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([good, slow], [speaker.room])
        let outcome = try await harness.run { _ in
            try await eventually("it waits for the second") {
                speaker.inspect {
                    $0.timebases.last.map { $0.rate == 0 && $0.media == MediaTime(frame: 1, sampleRate: 1) } ?? false
                }
            }
            let writer = FileHandle(forWritingAtPath: slow)
            try writer?.write(contentsOf: Data(repeating: 7, count: 1000))
            try writer?.close()
        }
        #expect(outcome.exitCode == 1, "\(outcome)")
    }

    @Test func aRoomThatDoesNotAnswerStopsAllInTime() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 9600, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        let begin = ContinuousClock.now
        let rooms = [speaker.room, RoomAddress(name: "attic", host: "127.0.0.1", port: 9)]
        let outcome = try await PlayerHarness([file], rooms, connectTimeout: 2_200_000_000).run()
        #expect(outcome.exitCode == 3 && outcome.message?.hasPrefix("attic: ") == true)
        #expect(ContinuousClock.now - begin < .seconds(3))
        #expect(!speaker.wasStarted)
        let partial = try await PlayerHarness(
            [file], rooms, allowsMissingRooms: true, connectTimeout: 2_200_000_000
        ).run()
        #expect(partial.exitCode == 0)
        #expect(speaker.wasStarted)
    }

    @Test func aSpeakerOfAnotherNameIsNotPlayedOn() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 9600, rate: 48_000)
        let speaker = try await FakeSpeaker("bath")
        let wrong = RoomAddress(name: "kitchen", host: "127.0.0.1", port: speaker.port)
        let outcome = try await PlayerHarness([file], [wrong]).run()
        #expect(outcome.exitCode == 3 && outcome.message?.contains("'bath'") == true)
        let nameless = RoomAddress(name: "", host: "127.0.0.1", port: speaker.port)
        #expect(try await PlayerHarness([file], [nameless]).run().exitCode == 0)
    }

    @Test func oneSpeakerUnderTwoNamesIsPlayedOnOnce() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 9600, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        let twins = [speaker.room, RoomAddress(name: "", host: "localhost", port: speaker.port)]
        let outcome = try await PlayerHarness([file], twins).run()
        #expect(outcome.exitCode == 4 && outcome.message?.contains("same speaker") == true)
    }

    @Test func aBeginningBeyondTheEndIsSaid() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 9600, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        let outcome = try await PlayerHarness(
            [file], [speaker.room], startAt: MediaTime(frame: 60, sampleRate: 1)
        ).run()
        #expect(outcome.exitCode == 3 && !speaker.wasStarted)
    }

    @Test func aRoomThatComesBackJoinsAtThePlayhead() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        _ = try await PlayerHarness([file], speakers.map(\.room)).run { player in
            try await eventually("both play") { speakers.allSatisfy(\.wasStarted) }
            let line = speakers[1].inspect { $0.timebases.last }
            try await Task.sleep(for: .milliseconds(300))
            let before = await player.status().position
            speakers[0].restart()
            try await eventually("audio again") { !speakers[0].inspect { $0.packets.isEmpty } }
            try await eventually("the line again") { speakers[0].inspect { $0.timebases.last } == line }
            let first = speakers[0].inspect { $0.packets.first?.timeRange } ?? TimeRange(start: .zero, end: .zero)
            let after = await player.status().position
            #expect(first.end.seconds > before && first.start.seconds <= after)
            await player.stop()
        }
    }
}
