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

/// Edits of what the room holds already, judged by what it holds then.
@Suite(.serialized, .repeatedWhenDisturbed) struct PlayerQueueTests {
    private func time(_ seconds: Int64) -> MediaTime { MediaTime(frame: seconds, sampleRate: 1) }

    @Test func whatFollowsIsReplacedFromWhereItDiffersOn() async throws {
        let stage = try await QueueStage("abcd")
        try await stage.run { player in
            try await stage.holds("abcd")
            let lines = stage.speaker.inspect { $0.timebases }
            try await player.insert(try stage.inputs("x"))
            try await stage.holds("axbcd")
            try await player.move(from: 4, to: 3)
            try await stage.holds("axbdc")
            try await player.remove([1, 3])
            try await stage.holds("abc")
            try await player.replace(2, with: try stage.inputs("y")[0])
            try await stage.holds("aby")
            #expect(stage.speaker.inspect { $0.flushedFrom } == [time(10), time(30), time(10), time(20)])
            #expect(stage.speaker.inspect { $0.timebases } == lines)
            #expect(await stage.order() == "aby")
            #expect(await player.status().queue.index == 0)
        }
    }

    @Test("an entry is meant by its id wherever somebody has moved it meanwhile, and once it is gone no other is")
    func ids() async throws {
        let stage = try await QueueStage("abcd")
        try await stage.run { player in
            try await stage.holds("abcd")
            let ids = await player.listing().entries.map(\.id)
            try await player.move(from: 3, to: 1)
            try await player.move(from: .id(ids[2]), to: 1)
            try await stage.holds("acdb")
            try await player.remove([.id(ids[1]), .id(ids[3])])
            try await stage.holds("ac")
            for place in [QueuePlace.id(ids[1]), .id(99)] {
                await #expect(throws: SenderError.self) { try await player.remove([.id(ids[2]), place]) }
                await #expect(throws: SenderError.self) { try await player.jump(to: place) }
                await #expect(throws: SenderError.self) { try await player.move(from: place, to: 0) }
            }
            #expect(await stage.order() == "ac")
            try await player.replace(.id(ids[2]), with: try stage.inputs("x")[0])
            #expect(await stage.order() == "ax")
        }
    }

    @Test func whatIsAddedBehindTheEndGoesOnThere() async throws {
        let stage = try await QueueStage("a")
        try await stage.run { player in
            try await stage.holds("a")
            try await player.add(try stage.inputs("bc"))
            try await stage.holds("abc")
            try await player.clear()
            try await stage.holds("a")
            #expect(await stage.order() == "a")
        }
    }

    @Test func whatHasNotBeenMadeIsNotSentAgain() async throws {
        let stage = try await QueueStage("abcdef", bufferSeconds: 12)
        try await stage.run { player in
            try await eventually("some of it is held") { stage.speaker.sound.count > 10 * 4 * QueueStage.rate }
            try await player.add(try stage.inputs("x"))
            try await player.move(from: 5, to: 4)
            try await player.remove([3])
            #expect(await stage.order() == "abcfex")
            #expect(stage.speaker.inspect { $0.flushes } == 0)
        }
    }

    @Test func piecesThatAreAddedOneByOneAreNotMadeBeforeRoomsTakeThem() async throws {
        let stage = try await QueueStage("a", bufferSeconds: 12)
        try await stage.run { player in
            try await stage.holds("a")
            for _ in 0..<15 {
                try await player.add(try stage.inputs("b"))
                try await Task.sleep(for: .milliseconds(60))
            }
            #expect(await player.logBytes < 75 * 4 * QueueStage.rate)
        }
    }

    @Test func whatFollowsTheRemovedPieceBegins() async throws {
        let stage = try await QueueStage("abc")
        try await stage.run { player in
            try await stage.holds("abc")
            try await eventually("the player knows") {
                await player.status().rooms[0].loaded.ranges.first?.end.seconds == 30
            }
            try await player.remove([0])
            try await eventually("it is heard") { stage.speaker.inspect { $0.timebases.last?.media } == time(10) }
            #expect(await player.status().item?.index == 0)
            #expect(await stage.order() == "bc")
            #expect(stage.speaker.inspect { $0.flushes } == 0)
            try await player.replace(0, with: try stage.inputs("x")[0])
            try await eventually("the new one") { stage.speaker.inspect { $0.timebases.last?.media } == time(20) }
            let expected = try stage.sound("xc")
            try await eventually("both are held") { stage.speaker.sound == expected }
            try await player.remove([0, 1])
        }
    }

    @Test func theEndOfTheQueueIsTheEnd() async throws {
        let stage = try await QueueStage("ab")
        let outcome = try await stage.run { player in
            try await stage.holds("ab")
            try await player.remove([0, 1])
            await #expect(throws: SenderError.nothingPlaying) { try await player.add(try stage.inputs("c")) }
        }
        #expect(outcome.exitCode == 0)
    }

    @Test func onePieceIsLaidManyTimes() async throws {
        let stage = try await QueueStage("ab", bufferSeconds: 45)
        try await stage.run { player in
            try await player.setRepeat(.all)
            let round = try stage.sound("ababa")
            try await eventually("five are held") { stage.speaker.sound.starts(with: round.dropLast(100_000)) }
            try await player.setRepeat(.one)
            let one = try stage.sound("aaaa")
            try await eventually("the same again") { stage.speaker.sound.starts(with: one) }
            try await player.next()
            try await eventually("the next") { await player.status().item?.index == 1 }
            try await player.setRepeat(.off)
            let last = try stage.sound("b")
            try await eventually("it alone") { stage.speaker.inspect { $0.end != nil } && stage.speaker.sound == last }
            await #expect(throws: SenderError.notNow("this is the last track")) { try await player.next() }
        }
    }

    @Test func consumedPiecesLeaveAndASkippedOneIsGone() async throws {
        let stage = try await QueueStage("abcd", seconds: ["a": 1])
        try await stage.run { player in
            try await player.setConsumes(true)
            try await eventually("the second is heard") { await stage.order() == "bcd" }
            #expect(await player.status().item?.index == 0)
            try await player.next()
            #expect(await stage.order() == "cd")
            try await player.setConsumes(false)
            try await player.next()
            #expect(await stage.order() == "cd")
            let queue = await player.status().queue
            #expect(queue.length == 2 && queue.index == 1 && queue.repeat == .off && queue.consume == false)
        }
    }

    @Test func aShuffledQueueIsPlayedInItsNewOrder() async throws {
        let stage = try await QueueStage("abcdef")
        try await stage.run { player in
            try await stage.holds("abcdef")
            try await player.setShuffled(true)
            let order = await stage.order()
            #expect(order.first == "a" && order.sorted() == Array("abcdef"))
            try await stage.holds(order)
            try await player.setShuffled(false)
            try await stage.holds("abcdef")
        }
    }

    @Test func aPieceThatIsGoneIsNamedAndLeftOut() async throws {
        let stage = try await QueueStage("ab", seconds: ["a": 1, "b": 1, "c": 1])
        let events = await stage.player.events()
        let outcome = try await stage.run { player in
            try await player.insert([AssetInput(uri: stage.scratch.path + "/gone.wav")] + (try stage.inputs("c")))
            try await stage.holds("acb")
            let failure = await player.listing().entries[1].failure
            #expect(failure?.contains("gone.wav") == true)
            try await eventually("the last is heard") { await player.status().queue.index == 3 }
        }
        // Stopped by hand; an end of its own would have said what was left out.
        #expect(outcome.exitCode == 0)
        var failures: [Int] = []
        for await event in events { if case .itemFailed(let index, _, _, _) = event { failures.append(index) } }
        #expect(failures == [1])
    }

    @Test func aPieceThatVanishesBeforeItsTurnIsLeftOut() async throws {
        let stage = try await QueueStage("abcde", seconds: ["d": 1, "e": 1], bufferSeconds: 2)
        try await stage.run { player in
            try FileManager.default.removeItem(atPath: stage.scratch.path + "/d.wav")
            let expected = try stage.sound("ce")
            try await player.jump(to: 2)
            try await eventually("it is passed over") { await player.listing().entries[3].failure != nil }
            try await player.seek(.to(time(9)))
            try await eventually("the last one") { await player.status().item?.index == 4 }
            #expect(expected.suffix(stage.speaker.sound.count).elementsEqual(stage.speaker.sound))
        }
    }

    @Test(arguments: [0.5, 0.75, 0.95]) func anEditAtTheLastMomentLosesNothingOfWhatIsHeard(place: Double) async throws
    {
        let stage = try await QueueStage("ab", seconds: ["a": 1.2])
        try await stage.run { player in
            try await eventually("near the end") { await player.status().position >= place }
            try await player.insert(try stage.inputs("x"))
            try await stage.holds("axb")
            try await eventually("the new one is heard") { await player.status().queue.index == 1 }
            #expect(await player.status().state == .playing)
            let line = stage.speaker.inspect { $0.timebases.last }
            let seam = MediaTime(frame: 12, sampleRate: 10)
            // Either in time, on the line that was, or the rooms have waited where the track ends.
            #expect(line?.media == .zero || line?.media == seam)
            #expect(stage.speaker.inspect { $0.flushedFrom.allSatisfy { $0 == seam } })
        }
    }

    /// What is heard two seconds late has left the card when it is to be replaced: the track that has begun there
    /// plays, the new one follows it, and that is what the queue says.
    @Test func whatIsInsertedTooLateForARoomWithALongOutputDelayFollowsTheTrackThatItHasBegun() async throws {
        let stage = try await QueueStage("abc", seconds: ["a": 4])
        stage.speaker.isHeardLate(milliseconds: 2_000)
        try await stage.run { player in
            try await stage.holds("abc")
            try await eventually("1.6 s before the end") { await player.status().position >= 2.4 }
            let lines = stage.speaker.inspect { $0.timebases }
            try await player.insert(try stage.inputs("x"))
            #expect(await stage.order() == "abxc")
            try await stage.holds("abxc")
            #expect(stage.speaker.inspect { $0.flushedFrom } == [time(14)])
            #expect(stage.speaker.inspect { $0.timebases } == lines)
            try await eventually("the next one is heard") { await player.status().queue.index == 1 }
            // Ten seconds before its end there is time.
            try await player.insert(try stage.inputs("y"))
            #expect(await stage.order() == "abyxc")
            try await stage.holds("abyxc")
        }
    }

    @Test func jumpsGoToAnyEntry() async throws {
        let stage = try await QueueStage("abcd", bufferSeconds: 5)
        try await stage.run { player in
            try await player.jump(to: 3)
            try await eventually("the last") { await player.status().item?.index == 3 }
            let last = try stage.sound("d")
            try await eventually("its sound") { await player.status().state == .playing }
            #expect(last.starts(with: stage.speaker.sound) && !stage.speaker.sound.isEmpty)
            try await player.previous()
            #expect(await player.status().item?.index == 2)
            try await eventually("the third") { await player.status().state == .playing }
            let third = try stage.sound("cd")
            #expect(third.starts(with: stage.speaker.sound) && !stage.speaker.sound.isEmpty)
            await #expect(throws: SenderError.noSuchEntry(5, count: 4)) { try await player.jump(to: 4) }
            await #expect(throws: SenderError.noSuchEntry(0, count: 4)) { try await player.remove([0, -1]) }
            #expect(await stage.order() == "abcd")
        }
    }

    @Test func aLongQueueIsQuicklyTold() async throws {
        let stage = try await QueueStage("a")
        try await stage.run { player in
            try await player.add((0..<10_000).map { AssetInput(uri: "/music/\($0).flac") })
            let clock = ContinuousClock()
            var best = Duration.seconds(60)
            for _ in 0..<5 {
                let begin = clock.now
                _ = await player.status()
                best = min(best, clock.now - begin)
            }
            #expect(best < .milliseconds(5))
        }
    }
}
