import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiSchema
import TuttiSender
import TuttiWire

@Suite(.serialized, .repeatedWhenDisturbed) struct PlayerCommandTests {
    private func time(_ seconds: Int64) -> MediaTime { MediaTime(frame: seconds, sampleRate: 1) }

    @Test func pauseAndResumeMoveAllRoomsAlike() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        _ = try await PlayerHarness([file], speakers.map(\.room)).run { player in
            try await eventually("both play") { speakers.allSatisfy(\.wasStarted) }
            try await Task.sleep(for: .milliseconds(200))
            try await player.pause()
            try await eventually("held") { speakers.allSatisfy { $0.inspect { $0.timebases.last?.rate == 0 } } }
            let held = await player.status()
            #expect(held.state == .paused && held.position > 0.05 && held.position < 5)
            try await Task.sleep(for: .milliseconds(100))
            #expect(await player.status().position == held.position)
            try await player.toggle()
            try await eventually("on") { speakers.allSatisfy { $0.inspect { $0.timebases.last?.rate == 1 } } }
            let lines = speakers.map { $0.inspect { Array($0.timebases.suffix(3)) } }
            #expect(lines[0] == lines[1])
            #expect(lines[0][1].media == lines[0][2].media && lines[0][1].media > lines[0][0].media)
            #expect(abs(lines[0][1].media.seconds - held.position) < 1e-9)
            await player.stop()
        }
    }

    @Test func pausedBeforeTheRoomsAnswerItIsHeldAtItsBeginning() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness([file], [speaker.room])
        try await harness.player.pause()
        try await harness.player.seek(.to(time(3)))
        _ = try await harness.run { player in
            #expect(await player.started() == nil)
            #expect(await player.status().state == .paused && !speaker.wasStarted)
            try await player.resume()
            try await eventually("it plays") { speaker.wasStarted }
            #expect(speaker.inspect { $0.timebases.last?.media } == time(3))
            await player.stop()
        }
        #expect(await harness.player.started()?.exitCode == 0)
    }

    @Test func aSeekWithinTheBufferMovesTheLineAlone() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speaker = try await FakeSpeaker("kitchen")
        _ = try await PlayerHarness([file], [speaker.room]).run { player in
            try await eventually("all is loaded") { speaker.inspect { $0.end != nil } && speaker.wasStarted }
            try await eventually("the player knows") {
                await player.status().rooms[0].loaded.ranges.first?.end.seconds == 10
            }
            try await player.seek(.to(time(7)))
            try await eventually("there") { speaker.inspect { $0.timebases.last?.media } == time(7) }
            #expect(speaker.inspect { $0.flushes } == 0)
            try await player.seek(.by(time(-5)))
            #expect(abs(await player.status().position - 2) < 0.5)
            await #expect(throws: SenderError.self) { try await player.seek(.to(time(11))) }
            await player.stop()
        }
    }

    @Test func aSeekBeyondTheBufferFillsItAnewFromTheVeryFrame() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 60 * 11_025, rate: 11_025)
        let speaker = try await FakeSpeaker("kitchen", bufferSeconds: 3)
        _ = try await PlayerHarness([file], [speaker.room]).run { player in
            try await eventually("it plays") { speaker.wasStarted }
            let place = try #require(SeekTarget.time("45.678"))
            try await player.seek(.to(place))
            let exact = MediaTime(frame: place.frame(at: 11_025), sampleRate: 11_025)
            try await eventually("there") { speaker.inspect { $0.timebases.last?.rate == 1 && $0.flushes == 1 } }
            #expect(speaker.inspect { $0.timebases.last?.media } == exact)
            #expect(speaker.inspect { $0.packets.first?.presentationTime } == exact)
            let reach = speaker.inspect { $0.packets.last?.presentationTime.seconds ?? 0 }
            #expect(reach < exact.seconds + 6)
            await player.stop()
        }
    }

    @Test func nextAndPreviousGoByPieces() async throws {
        let scratch = try Scratch()
        let files = try ["a", "b"].map { try scratch.wave("\($0).wav", frames: 240_000, rate: 48_000) }
        let speaker = try await FakeSpeaker("kitchen")
        let outcome = try await PlayerHarness(files, [speaker.room]).run { player in
            try await eventually("it plays") { speaker.wasStarted }
            await #expect(throws: SenderError.notNow("this is the last track")) {
                try await player.next()
                try await eventually("the second") { await player.status().item?.index == 1 }
                try await player.next()
            }
            try await eventually("its line") { speaker.inspect { $0.timebases.last?.media } == time(5) }
            try await player.previous()
            try await eventually("the first") { await player.status().item?.index == 0 }
            try await player.seek(.to(time(4)))
            try await eventually("near its end") { await player.status().position > 4 }
            try await player.previous()
            try await eventually("its start") { await player.status().position < 2 }
            #expect(await player.status().item?.index == 0)
            await player.stop()
        }
        #expect(outcome.exitCode == 0)
    }

    @Test func volumesGoToTheRoomsMeant() async throws {
        let scratch = try Scratch()
        let file = try scratch.wave("a.wav", frames: 480_000, rate: 48_000)
        let speakers = [try await FakeSpeaker("kitchen"), try await FakeSpeaker("bath")]
        _ = try await PlayerHarness([file], speakers.map(\.room)).run { player in
            try await eventually("both play") { speakers.allSatisfy(\.wasStarted) }
            try await player.setVolume(.to(40), room: "Kitchen")
            try await eventually("set") { speakers[0].inspect { $0.volumes } == [40] }
            try await player.setVolume(.by(-10), room: nil)
            try await eventually("both set") { speakers.allSatisfy { !$0.inspect { $0.volumes.isEmpty } } }
            #expect(speakers[1].inspect { $0.volumes } == [90])
            await #expect(throws: SenderError.noSuchRoom("attic")) {
                try await player.setVolume(.to(1), room: "attic")
            }
            await player.stop()
        }
    }

    @Test func theProgrammeCanBeginInALaterPiece() async throws {
        let scratch = try Scratch()
        let files = [
            try scratch.wave("a.wav", frames: 44_100, rate: 44_100),
            try scratch.wave("b.wav", frames: 48_000, rate: 48_000),
        ]
        let speaker = try await FakeSpeaker("kitchen")
        let start = try #require(SeekTarget.time("1.75"))
        let outcome = try await PlayerHarness(files, [speaker.room], startAt: start).run()
        #expect(outcome.exitCode == 0)
        #expect(speaker.inspect { $0.packets.first?.presentationTime } == start)
        #expect(speaker.inspect { $0.timebases.last?.media } == start)
        #expect(speaker.inspect { $0.end } == time(2))
    }
}
