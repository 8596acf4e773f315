import Foundation
import TestSupport
import Testing
import Tutti

@Suite("A queue on this host's own card", .serialized, .repeatedWhenDisturbed) struct QueuePlayerTests {
    private func samples(_ pieces: [(seed: UInt64, seconds: Double)]) -> [Float] {
        pieces.flatMap { PlayerStage.samples($0.seed, seconds: $0.seconds) }
    }

    /// How many samples at the end of both are the same.
    private func commonEnd(_ first: [Float], _ second: [Float]) -> Int {
        zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
    }

    private func commonBeginning(_ first: [Float], _ second: [Float]) -> Int {
        zip(first, second).prefix { $0 == $1 }.count
    }

    @Test func itemsFollowEachOtherToTheFrame() async throws {
        let recording = try await PlayerStage.record { stage in
            let items = [try stage.item(1, seconds: 1.3), try stage.item(2, seconds: 0.9)]
            try await stage.player.insert(items)
            try await stage.player.play()
            #expect(await stage.player.timeControlStatus == .playing)
            #expect(await stage.player.currentItem === items[0])
            try await stage.happens("the second") {
                if case .currentItemChanged(let item) = $0 { item === items[1] } else { false }
            }
            try await stage.ends()
            #expect(await stage.player.timeControlStatus == .paused)
            #expect(items.allSatisfy { $0.status == .readyToPlay && $0.error == nil })
            #expect(items[0].duration == MediaTime(frame: 62_400, sampleRate: 48_000))
        }
        #expect(PlayerStage.difference(recording, samples([(1, 1.3), (2, 0.9)])) == nil)
    }

    @Test func anEditOfWhatIsLoadedLeavesWhatIsHeardAlone() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            let items = [try stage.item(1, seconds: 2.5), try stage.item(2, seconds: 1), try stage.item(3, seconds: 1)]
            try await player.insert(items)
            try await player.play()
            try await eventually("the last is loaded") { items[2].status == .readyToPlay }
            try await stage.isLoaded(to: 2.5)
            let other = try stage.item(4, seconds: 1.5)
            try await player.replace(items[1], with: other)
            try await player.move(other, to: 2)
            #expect(await player.items().map(\.id) == [items[0], items[2], other].map(\.id))
            try await stage.ends()
        }
        #expect(PlayerStage.difference(recording, samples([(1, 2.5), (3, 1), (4, 1.5)])) == nil)
    }

    @Test func aSeekInsideWhatIsLoadedIsExact() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            try await player.insert(try stage.item(1, seconds: 6))
            try await player.play()
            try await stage.isLoaded(to: 6)
            try await eventually("it is under way") { await player.currentTime.seconds > 0.3 }
            #expect(await player.bufferingState.isPlaybackBufferFull)
            try await player.seek(to: MediaTime(frame: 4 * 48_000 + 7, sampleRate: 48_000))
            #expect(await player.currentTime.seconds >= 4)
            try await stage.ends()
        }
        let whole = samples([(1, 6)])
        #expect(recording.count < whole.count - 48_000)
        #expect(commonBeginning(recording, whole) > 2_000)
        // All but the few milliseconds in which the two places overlap.
        #expect((95_000...95_993).contains(commonEnd(recording, whole)), "\(commonEnd(recording, whole))")
    }

    @Test func pausedItStandsAndGoesOnWhereItStood() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            try await player.insert(try stage.item(1, seconds: 3))
            try await player.play()
            try await eventually("it is under way") { await player.currentTime.seconds > 0.3 }
            try await player.pause()
            let place = await player.currentTime
            #expect(await player.rate == 0)
            try await Task.sleep(for: .milliseconds(300))
            #expect(await player.currentTime == place)
            try await player.play()
            try await stage.ends()
        }
        let whole = samples([(1, 3)])
        #expect(recording.count > whole.count + 4_800)
        let (before, after) = (commonBeginning(recording, whole), commonEnd(recording, whole))
        #expect(before > 9_600 && whole.count - before - after < 2_000, "\(before) and \(after) of \(whole.count)")
    }

    @Test func afterTheEndItGoesOnWithWhatIsAdded() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            try await player.setConsumesItems(true)
            try await player.insert(try stage.item(1, seconds: 0.5))
            try await player.play()
            try await stage.ends()
            #expect(await player.items().isEmpty)
            await #expect(throws: QueuePlayerError.nothingToPlay) { try await player.play() }
            try await player.insert(try stage.item(2, seconds: 0.6))
            try await player.play()
            try await eventually("the second is over") { await player.items().isEmpty }
        }
        #expect(commonEnd(recording, samples([(2, 0.6)])) > 28_000)
        let beginning = commonBeginning(recording, samples([(1, 0.5)]))
        #expect(beginning == 24_000)
    }

    @Test func removingAllItemsSilencesIt() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            try await player.insert([try stage.item(1, seconds: 20), try stage.item(2, seconds: 1)])
            try await player.play()
            try await eventually("it is under way") { await player.currentTime.seconds > 0.3 }
            try await player.removeAllItems()
            try await stage.ends()
            #expect(await player.items().isEmpty)
            #expect(await player.timeControlStatus == .paused)
            try await player.insert(try stage.item(3, seconds: 0.5))
            try await player.play()
            try await eventually("the new one is over") { await player.timeControlStatus == .paused }
        }
        #expect(recording.count < 10 * 48_000)
        #expect(commonEnd(recording, samples([(3, 0.5)])) > 23_000)
    }

    @Test func timesAreToldAndRatesArePlayed() async throws {
        _ = try await PlayerStage.record { stage in
            let player = stage.player
            try await player.insert(try stage.item(1, seconds: 4))
            try await player.seek(to: MediaTime(frame: 1, sampleRate: 1))
            try await player.setRate(2)
            #expect(await player.rate == 2)
            var times: [Double] = []
            for await time in player.periodicTimes(forInterval: .milliseconds(500)) {
                times.append(time.seconds)
                if time.seconds >= 3 { break }
            }
            #expect(times[0] >= 1 && times.count >= 4 && times == times.sorted())
            await #expect(throws: QueuePlayerError.invalid("a rate is from 0.5 to 2")) { try await player.setRate(3) }
        }
    }

    @Test func volumesAndRooms() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            try await player.insert(try stage.item(1, seconds: 1.5))
            #expect(await player.rooms().isEmpty)
            try await player.play()
            let room = try #require(await player.rooms().first)
            #expect(room.name == "here" && room.volume == 1 && room.isMuted == false && room.codec != "opus")
            try await player.setMuted(true, room: "here")
            try await eventually("it is muted") { await player.rooms().first?.isMuted == true }
            await #expect(throws: QueuePlayerError.room("attic: no such room is playing")) {
                try await player.setVolume(0.5, room: "attic")
            }
            try await stage.ends()
        }
        #expect(recording.count < 72_000)
    }

    @Test func aStoppedPlayerHasNotEndedAndDoesNothingMore() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            try await player.insert(try stage.item(1, seconds: 5))
            try await player.play()
            await player.stop()
            try await stage.happens("it is over") { if case .finished(nil) = $0 { true } else { false } }
            #expect(!stage.hasHappened { if case .ended = $0 { true } else { false } })
            await #expect(throws: QueuePlayerError.ended) { try await player.seek(to: .zero) }
            await #expect(throws: QueuePlayerError.ended) { try await player.setMuted(true) }
            await #expect(throws: QueuePlayerError.ended) { try await player.setVolume(0.5) }
            await #expect(throws: QueuePlayerError.ended) { try await player.setRate(2) }
            await #expect(throws: QueuePlayerError.ended) { try await player.setCrossfade(2) }
            await #expect(throws: QueuePlayerError.ended) { try await player.pause() }
            await #expect(throws: QueuePlayerError.ended) { try await player.play() }
            await #expect(throws: QueuePlayerError.ended) { try await player.removeAllItems() }
        }
        #expect(recording.count < 5 * 48_000)
    }

    @Test func outputsComeAndGoWhileItPlays() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            let item = try stage.item(1, seconds: 6)
            try await player.insert(item)
            let bath = QueuePlayer.Output.local(device: "null", name: "bath")
            try await player.play()
            let here = try #require(player.outputs.first)
            await #expect(throws: QueuePlayerError.self) { try await player.remove(here) }
            await #expect(throws: QueuePlayerError.room("bath: no such output")) { try await player.remove(bath) }
            try await player.add(bath)
            await #expect(throws: QueuePlayerError.invalid("two local outputs have the same name")) {
                try await player.add(bath)
            }
            #expect(player.outputs == [here, bath])
            try await eventually("both play") { await player.rooms().count { $0.state == .playing } == 2 }
            try await player.remove(bath)
            #expect(player.outputs == [here])
            try await eventually("one plays") { await player.rooms().map(\.name) == ["here"] }
            // It can come again.
            try await player.add(bath)
            try await eventually("both play again") { await player.rooms().count { $0.state == .playing } == 2 }
            try await stage.ends()
        }
        // A busy machine may begin late; from then on no frame is another one, whatever came and went.
        let whole = PlayerStage.samples(1, seconds: 6)
        #expect(recording.count > 5 * 48_000)
        #expect(commonEnd(recording, whole) >= recording.count - 2_000)
    }

    @Test func itemsTellWhatIsLoadedAndPlayersWhichTimesArePassed() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            let items = [try stage.item(1, seconds: 1.5), try stage.item(2, seconds: 1)]
            try await player.insert(items)
            #expect(await items[0].loadedTimeRanges.isEmpty)
            #expect(await items[0].isPlaybackBufferEmpty)
            let boundaries = player.boundaryTimes([milliseconds(900), milliseconds(400)])
            let passed = Task {
                var times: [MediaTime] = []
                for await time in boundaries {
                    times.append(time)
                    if times.count == 4 { break }
                }
                return times
            }
            try await player.play()
            try await eventually("all is loaded") {
                let ends = (await items[0].loadedTimeRanges.last?.end, await items[1].loadedTimeRanges.last?.end)
                return ends.0 == milliseconds(1_500) && ends.1 == milliseconds(1_000)
            }
            #expect(await items[1].isPlaybackBufferFull)
            #expect(await items[1].isPlaybackLikelyToKeepUp)
            try await stage.ends()
            #expect(await items[0].loadedTimeRanges.isEmpty)
            passed.cancel()
            // In both items, in order.
            #expect(await passed.value == [400, 900, 400, 900].map(milliseconds))
        }
        #expect(recording.count == 120_000)
    }

    @Test func mistakesAreNamed() async throws {
        let nowhere = QueuePlayer.Output.local(device: "hw:77,9")
        await #expect {
            try await QueuePlayer(outputs: [nowhere])
        } throws: { error in
            if case QueuePlayerError.output(let text) = error { text.contains("hw:77,9") } else { false }
        }
        await #expect(throws: QueuePlayerError.self) { try await QueuePlayer(outputs: []) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = QueuePlayer.Configuration()
        configuration.stateDirectory = folder.path
        let item = PlayerItem(path: folder.path + "/none.wav")
        let player = try await QueuePlayer(
            items: [item], outputs: [.room("", host: "127.0.0.1", port: 9)], configuration: configuration)
        await #expect(throws: QueuePlayerError.alreadyInQueue) { try await player.insert(item) }
        await #expect(throws: QueuePlayerError.notInQueue) { try await player.remove(PlayerItem(path: "x")) }
        await #expect(throws: QueuePlayerError.self) { try await player.advanceToNextItem() }
        await #expect {
            try await player.play()
        } throws: { error in
            if case QueuePlayerError.room = error { true } else { false }
        }
        await #expect(throws: QueuePlayerError.ended) { try await player.pause() }
        await player.stop()
    }
}
