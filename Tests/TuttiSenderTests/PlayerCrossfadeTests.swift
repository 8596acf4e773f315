import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiPlayback
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

/// Joins with a crossfade, judged by what the room holds.
@Suite(.serialized, .repeatedWhenDisturbed) struct PlayerCrossfadeTests {
    private func time(_ seconds: Double) -> MediaTime {
        MediaTime(frame: Int64(seconds * Double(QueueStage.rate)), sampleRate: QueueStage.rate)
    }

    @Test func eachPieceComesIntoTheEndingOfTheOneBefore() async throws {
        // The third is so short that half of it is all that is mixed.
        let stage = try await CrossfadeStage("abcd", seconds: ["c": 3], crossfade: 2.5)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("abcd", crossfade: 2.5))
            #expect(stage.speaker.inspect { $0.end } == time(33 - 2.5 - 3))
            #expect(stage.speaker.inspect { $0.flushes } == 0)
            #expect(await player.status().queue.crossfade == 2.5)
        }
    }

    @Test func editsGiveAPieceItsOwnEndingBack() async throws {
        let stage = try await CrossfadeStage("abc", crossfade: 2)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("abc", crossfade: 2))
            try await player.remove([1])
            try await stage.holds(stage.model("ac", crossfade: 2))
            try await player.replace(1, with: try stage.stage.inputs("x")[0])
            try await stage.holds(stage.model("ax", crossfade: 2))
            try await player.clear()
            try await stage.holds(stage.model("a", crossfade: 2))
            try await player.add(try stage.stage.inputs("bd"))
            try await stage.holds(stage.model("abd", crossfade: 2))
            try await player.move(from: 1, to: 2)
            try await stage.holds(stage.model("adb", crossfade: 2))
            // The rooms drop what they have from the first mixed frame on and nothing before.
            #expect(stage.speaker.inspect { $0.flushedFrom }.allSatisfy { $0 == time(8) })
        }
    }

    @Test func whatComesInsteadOfAShortPieceComesInAsEarlyAsItsOwnLengthAllows() async throws {
        let stage = try await CrossfadeStage("acb", seconds: ["c": 3], crossfade: 2.5)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("acb", crossfade: 2.5))
            try await player.insert(try stage.stage.inputs("d"))
            try await stage.holds(stage.model("adcb", crossfade: 2.5))
            try await player.remove([1])
            try await stage.holds(stage.model("acb", crossfade: 2.5))
            try await player.remove([1])
            try await stage.holds(stage.model("ab", crossfade: 2.5))
        }
    }

    @Test func anotherCrossfadeHoldsFromTheNextJoinOn() async throws {
        let stage = try await CrossfadeStage("abcd", crossfade: 0)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("abcd", crossfade: 0))
            try await player.pause()
            for seconds in [2.0, 4.5, 1, 12, 0] {
                try await player.setCrossfade(seconds)
                try await stage.holds(stage.model("abcd", crossfade: seconds))
                #expect(await player.listing().crossfade == seconds)
            }
            for seconds in [-1, 12.1, .nan, .infinity] {
                await #expect(throws: SenderError.badOption("a crossfade is from 0 to 12 s")) {
                    try await player.setCrossfade(seconds)
                }
            }
        }
    }

    @Test func whoGoesBackHearsJoinsAsTheyAreAskedForNow() async throws {
        let stage = try await CrossfadeStage("abc", crossfade: 2)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("abc", crossfade: 2))
            try await player.pause()
            // Behind the first join, which stays as it has been heard.
            try await player.seek(.to(time(9)))
            #expect(await player.listing().index == 1)
            try await player.setCrossfade(1)
            var model = stage.model("ab", crossfade: 2)
            model.follow(1, by: [("c", stage.length("c"))], crossfade: QueueStage.rate)
            try await stage.holds(model)
            try await player.jump(to: 0)
            try await stage.holds(stage.model("abc", crossfade: 1))
            try await player.resume()
            try await eventually("it plays") { await player.status().state == .playing }
            let flushes = stage.speaker.inspect { $0.flushes }
            try await player.seek(.to(time(2)))
            try await player.jump(to: 0)
            #expect(stage.speaker.inspect { $0.flushes } == flushes)
        }
    }

    @Test func thePieceThatComesInIsTheOneThatIsHeard() async throws {
        let stage = try await CrossfadeStage("abc", crossfade: 4)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("abc", crossfade: 4))
            try await eventually("the player knows") {
                await player.status().rooms[0].loaded.ranges.first?.end.seconds == 22
            }
            try await player.seek(.to(time(5.5)))
            #expect(await player.status().queue.index == 0)
            // Two seconds before its end, which is two seconds after the next one has begun.
            try await player.pause()
            try await player.seek(.to(time(8)))
            try await stage.holds(stage.model("abc", crossfade: 4), from: 8 * QueueStage.rate)
            var status = await player.status()
            #expect(status.queue.index == 1 && abs(status.position - 2) < 1e-9 && status.item?.duration == 10)
            #expect(stage.speaker.inspect { $0.timebases.last?.media } == time(8))
            // In the mixed stretch that one is the track that edits go around.
            try await player.insert(try stage.stage.inputs("x"))
            try await stage.holds(stage.model("abxc", crossfade: 4), from: 8 * QueueStage.rate)
            try await player.seek(.by(time(-1)))
            try await stage.holds(stage.model("abxc", crossfade: 4), from: 7 * QueueStage.rate)
            status = await player.status()
            #expect(status.queue.index == 1 && abs(status.position - 1) < 1e-9)
            // It begins by itself when somebody asks for it.
            try await player.previous()
            #expect(await player.status().item?.index == 0)
        }
    }

    @Test func whoGoesToAPieceHearsItFromItsBeginning() async throws {
        let stage = try await CrossfadeStage("abc", crossfade: 3)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("abc", crossfade: 3))
            try await player.next()
            var model = JoinModel()
            model.begin("b", length: stage.length("b"), at: stage.length("a"))
            model.follow(0, by: [("c", stage.length("c"))], crossfade: 3 * QueueStage.rate)
            try await stage.holds(model)
            try await eventually("it plays") { await player.status().state == .playing }
            #expect(await player.status().queue.index == 1)
        }
    }

    @Test func repetitionAndOneThatCannotBePlayed() async throws {
        let stage = try await CrossfadeStage("abc", crossfade: 2)
        try await stage.stage.run { player in
            try await stage.holds(stage.model("abc", crossfade: 2))
            try FileManager.default.removeItem(atPath: stage.stage.scratch.path + "/b.wav")
            let files = try stage.stage.inputs("d")
            // Laid anew it is found to be gone: what is before it plays out, what is behind follows that.
            try await player.insert(files)
            var model = stage.model("ad", crossfade: 2)
            model.follow(1, by: [("c", stage.length("c"))], crossfade: 0)
            try await stage.holds(model)
            #expect(await player.listing().entries[2].failure != nil)
            try await player.setRepeat(.one)
            let expected = stage.model("aaaa", crossfade: 2).sound(stage.samples)
            try await eventually("again and again") {
                stage.speaker.inspect { $0.packets.last.map { $0.timeRange.end > time(26) } ?? false }
            }
            try await player.setRepeat(.off)
            try await stage.holds(model)
            #expect(expected.count == 34 * QueueStage.rate)
        }
    }

    @Test func halfAsFastACrossfadeIsAsLong() async throws {
        let scratch = try Scratch()
        let files = try ["a", "b"].map { try scratch.wave($0 + ".wav", frames: 8 * 8_000, rate: 8_000) }
        let speaker = try await FakeSpeaker("kitchen")
        let harness = try PlayerHarness(files, [speaker.room], codec: .pcm, rate: 0.5, crossfade: 3)
        _ = try await harness.run { player in
            try await eventually("all is loaded") {
                speaker.inspect { state in state.end != nil && state.packets.last?.timeRange.end == state.end }
            }
            let packets = speaker.inspect { $0.packets }
            #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.timeRange.end == $1.presentationTime })
            #expect(speaker.inspect { $0.end?.seconds } == 29)
            await player.stop()
        }
    }
}
