import Foundation
import Glibc
import TestSupport
import Testing
import Tutti

@Suite("Items that make trouble", .serialized, .repeatedWhenDisturbed) struct QueuePlayerFaultTests {
    @Test func anItemThatVanishesIsLeftOutAndNamed() async throws {
        let recording = try await PlayerStage.record { stage in
            let items = try (1...3).map { try stage.item($0, seconds: 0.7) }
            try await stage.player.insert(items)
            try FileManager.default.removeItem(atPath: items[1].uri)
            try await stage.player.play()
            try await stage.happens("it is named") {
                if case .itemFailed(let item, .media(let text)) = $0 {
                    item === items[1] && text.contains("no such file")
                } else {
                    false
                }
            }
            #expect(items[1].status == .failed)
            try await stage.ends()
        }
        let expected = [1, 3].flatMap { PlayerStage.samples($0, seconds: 0.7) }
        #expect(PlayerStage.difference(recording, expected) == nil)
    }

    @Test func whereNothingCanBePlayedItIsSaidAndTheNextItemIsStillHeard() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            let missing = PlayerItem(path: stage.folder + "/none.wav")
            try await player.insert(missing)
            await #expect(throws: QueuePlayerError.nothingToPlay) { try await player.play() }
            #expect(missing.status == .failed)
            try await player.insert(try stage.item(1, seconds: 0.5))
            try await player.play()
            try await eventually("it is over") { await player.timeControlStatus == .paused }
        }
        #expect(PlayerStage.difference(recording, PlayerStage.samples(1, seconds: 0.5)) == nil)
    }

    @Test func anAddressThatStallsIsWaitedForAndGoesOnWhole() async throws {
        let whole = PlayerStage.samples(1, seconds: 5)
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            let server = try SlowServer(file: PlayerStage.wave(1, seconds: 5), share: 0.3)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a.wav"))
            try await player.insert(PlayerItem(url: url))
            try await player.play()
            try await stage.happens("it stalls") { if case .stalled = $0 { true } else { false } }
            #expect(await player.timeControlStatus == .waitingToPlay)
            try await eventually("nothing is left") { await player.bufferingState.isPlaybackBufferEmpty }
            #expect(await !player.bufferingState.isPlaybackLikelyToKeepUp)
            try await Task.sleep(for: .milliseconds(500))
            server.goOn()
            try await stage.happens("it goes on") { if case .resumed = $0 { true } else { false } }
            try await eventually("it will last") { await player.bufferingState.isPlaybackLikelyToKeepUp }
            try await stage.ends()
        }
        #expect(recording.count > whole.count + 9_600)
        let before = zip(recording, whole).prefix { $0 == $1 }.count
        let after = zip(recording.reversed(), whole.reversed()).prefix { $0 == $1 }.count
        #expect(before > 48_000 && after > 2 * 48_000)
        // What is missing is in the ramps around the silence.
        #expect(whole.count - before - after < 2_000, "\(before) and \(after) of \(whole.count)")
    }

    /// A server that has no part of a file but the first, breaks off and begins again with it.
    @Test func anAddressThatIsCutOffAgainAndAgainFailsAndTheQueueGoesOn() async throws {
        let wave = PlayerStage.wave(1, seconds: 4)
        let listener = try LoopbackListener { peer in
            defer { close(peer) }
            guard LoopbackListener.request(from: peer) != nil else { return }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(wave.count)\r\n\r\n"
            LoopbackListener.send(Array(head.utf8) + wave[..<(wave.count / 2)], to: peer)
        }
        defer { listener.stop() }
        let recording = try await PlayerStage.record { stage in
            let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/a.wav"))
            let items = [PlayerItem(url: url), try stage.item(2, seconds: 0.5)]
            try await stage.player.insert(items)
            try await stage.player.play()
            try await eventually("the next one plays", seconds: 60) { await stage.player.currentItem === items[1] }
            #expect(items[0].status == .failed)
            try await stage.ends()
        }
        let second = PlayerStage.samples(2, seconds: 0.5)
        #expect(zip(recording.reversed(), second.reversed()).prefix { $0 == $1 }.count > 23_000)
    }

    @Test func anAddressThatEndsEarlyIsPlayedAsFarAsItGoes() async throws {
        let recording = try await PlayerStage.record { stage in
            let player = stage.player
            let server = try SlowServer(file: PlayerStage.wave(1, seconds: 4), share: 0.5)
            let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a.wav"))
            let items = [PlayerItem(url: url), try stage.item(2, seconds: 0.5)]
            try await player.insert(items)
            try await player.play()
            server.end()
            try await stage.happens("it is named") {
                if case .itemFailed(let item, _) = $0 { item === items[0] } else { false }
            }
            try await stage.ends()
        }
        let (first, second) = (PlayerStage.samples(1, seconds: 4), PlayerStage.samples(2, seconds: 0.5))
        #expect(zip(recording, first).prefix { $0 == $1 }.count > 80_000)
        #expect(zip(recording.reversed(), second.reversed()).prefix { $0 == $1 }.count > 23_000)
    }
}
