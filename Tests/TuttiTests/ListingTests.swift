import Foundation
import Logging
import TestSupport
import Testing
import Tutti
import TuttiHost
import TuttiSpeaker

/// What docs/library.md shows works, and is what is tested here.
@Suite(.repeatedWhenDisturbed) struct ListingTests {
    private func makePlayer(seconds: Int = 20) throws -> (OfflineOutput, SamplePlayer) {
        let output = try OfflineOutput()
        return (output, try SamplePlayer(route: output.route, clock: output.clock, seconds: seconds))
    }

    /// Waits until the player's queue has brought what is asked for.
    private func settle(_ player: SamplePlayer) async throws {
        for _ in 0..<2_000 {
            player.serializationQueue.sync {}
            let loaded = player.audioRenderer.loadedTimeRanges.last?.end
            if !player.audioRenderer.isReadyForMoreMediaData || loaded == player.duration { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record("the player does not bring what is asked for")
    }

    /// Left samples of the next `frames` frames, with the player given its time in between.
    private func render(_ frames: Int, _ output: OfflineOutput, _ player: SamplePlayer) async throws -> [Float] {
        var sound: [Float] = []
        while sound.count < frames {
            // Requests come at their time of the output's clock, and are answered on the player's queue.
            try await settle(player)
            let block = try output.render(min(4_800, frames - sound.count))
            sound += stride(from: 0, to: block.samples.count, by: 2).map { block.samples[$0] }
        }
        return sound
    }

    @Test func playing() async throws {
        let (output, player) = try makePlayer()
        try player.play()
        let sound = try await render(480_000, output, player)
        let material = Material()
        #expect(sound.indices.allSatisfy { sound[$0] == material.sample($0) })
        // The route's depth, no more.
        #expect(player.audioRenderer.loadedTimeRanges.last.map { $0.end <= milliseconds(15_000) } == true)
    }

    @Test func seeking() async throws {
        let (output, player) = try makePlayer()
        try player.play()
        _ = try await render(48_000, output, player)
        try player.seek(toMediaTime: frame(480_000))
        let sound = try await render(96_000, output, player)
        let material = Material()
        #expect((800..<96_000).allSatisfy { sound[$0] == material.sample($0 + 480_000) })
        #expect(abs(player.renderSynchronizer.currentTime.seconds - 12) < 1e-6)
    }

    @Test func flushingFromASourceTime() async throws {
        let (output, player) = try makePlayer()
        try player.play()
        _ = try await render(48_000, output, player)
        try await player.performFlush(fromSourceTime: milliseconds(2_000))
        // The current sound is untouched, and so is the seam, since the same comes again.
        let sound = try await render(96_000, output, player)
        let material = Material()
        #expect(sound.indices.allSatisfy { abs(sound[$0] - material.sample($0 + 48_000)) < 1e-6 })
    }

    @Test func flushingTooCloseToThePlayheadInterrupts() async throws {
        let (output, player) = try makePlayer()
        try player.play()
        _ = try await render(48_000, output, player)
        #expect(await player.audioRenderer.flush(fromSourceTime: milliseconds(1_050)) == false)
        try await player.performFlush(fromSourceTime: milliseconds(1_050))
        let sound = try await render(48_000, output, player)
        let material = Material()
        #expect((800..<48_000).allSatisfy { sound[$0] == material.sample($0 + 48_000) })
    }

    @Test func changingTheSpeed() async throws {
        let (output, player) = try makePlayer()
        let observer = player.observeAutomaticFlushes()
        defer { observer.cancel() }
        try player.play()
        _ = try await render(48_000, output, player)
        try player.changeSpeed(to: 2)
        for _ in 0..<2_000 where player.audioRenderer.loadedTimeRanges.isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        let sound = try await render(96_000, output, player)
        #expect(sound[1_000...].count { abs($0) > 0.01 } > 80_000)
        #expect(abs(player.renderSynchronizer.currentTime.seconds - 5) < 1e-6)
    }

    @Test(.enabled(if: OutsideTool.hasFFmpeg)) func playingAFile() async throws {
        let shop = try Workshop()
        let samples = (0..<96_000).map { Material().sample($0) }
        let path = try shop.encode(samples, sampleRate: 48_000, to: "a.flac", ["-c:a", "flac", "-sample_fmt", "s32"])
        let (output, player) = try makePlayer()
        try player.play(fileAt: path)
        for _ in 0..<2_000 where player.audioRenderer.loadedTimeRanges.first?.end != milliseconds(2_000) {
            try await Task.sleep(for: .milliseconds(1))
        }
        let block = try output.render(96_000)
        // FLAC of 24 bits.
        #expect(samples.indices.allSatisfy { abs(block.samples[2 * $0] - samples[$0]) <= 0x1p-23 })
    }

    @Test func restartingAfterAnAutomaticFlush() async throws {
        let session = AudioSession(device: "null?bits=16")
        let player = try SamplePlayer(route: .local(session: session), clock: .system, seconds: 60)
        let observer = player.observeAutomaticFlushes()
        defer { observer.cancel() }
        let events = player.audioRenderer.events
        try player.play()
        try await settle(player)
        let old = try #require(session.ioBufferDuration)
        // A change while the session is active: stop, reconfigure, start.
        try session.setPreferredIOBufferDuration(.milliseconds(5))
        let new = try #require(session.ioBufferDuration)
        #expect(new < old && abs(new / .milliseconds(5) - 1) < 0.01)
        var iterator = events.makeAsyncIterator()
        let event = await iterator.next()
        guard case .flushedAutomatically(let time, .reconfigured) = event else {
            Issue.record("\(String(describing: event)) is no automatic flush")
            return
        }
        #expect(time <= player.renderSynchronizer.currentTime && player.renderSynchronizer.rate == 1)
        // The sound goes on where the programme stands by now.
        for _ in 0..<5_000 where !player.audioRenderer.bufferingState.isPlaybackLikelyToKeepUp {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(player.audioRenderer.bufferingState.isPlaybackLikelyToKeepUp)
    }

    @Test func observingBuffering() async throws {
        let (output, player) = try makePlayer(seconds: 3)
        let observer = player.observeBuffering()
        defer { observer.cancel() }
        #expect(player.audioRenderer.bufferingState.isPlaybackBufferEmpty)
        try player.play()
        try await settle(player)
        // All there is is held, so it is full; played to its end it is not empty.
        _ = try output.render(3 * 48_000)
        for _ in 0..<2_000 where player.stallChanges.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(player.stallChanges.last == false)
        player.audioRenderer.flush()
        for _ in 0..<2_000 where player.stallChanges.last == false { try await Task.sleep(for: .milliseconds(1)) }
        #expect(player.stallChanges.last == true)
    }

    @Test func showingWhatIsLoaded() async throws {
        let (output, player) = try makePlayer()
        let observer = try player.observeProgress()
        try player.play()
        _ = try await render(48_000 * 6, output, player)
        for _ in 0..<2_000 where player.loadedPercentage < 0.4 { try await Task.sleep(for: .milliseconds(1)) }
        #expect((0.4...0.55).contains(player.loadedPercentage))
        player.renderSynchronizer.removeTimeObserver(observer)
    }

    @Test func movingToRoomsWhilePlaying() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let speaker = try await SpeakerService(
            configuration: SpeakerConfiguration(
                name: "kitchen", device: "null", port: 0, bindAddress: "127.0.0.1", stateDirectory: folder,
                announces: false),
            clock: HostClock(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let session = AudioSession(device: "null")
        let player = try SamplePlayer(route: .local(session: session), clock: .system, seconds: 60)
        let observer = player.observeRooms()
        defer { observer.cancel() }
        try player.play()
        // The speaker is claimed by this household.
        let kitchen = RoomEndpoint(name: "kitchen", host: "127.0.0.1", port: speaker.port)
        try player.move(to: .rooms([kitchen], stateDirectory: folder + "/sender"))
        #expect(player.audioRenderer.route.kind == .rooms && player.audioRenderer.route.depth == .seconds(300))
        for _ in 0..<10_000 where !player.shownRooms.contains("kitchen: playing") {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(player.shownRooms.contains("kitchen: playing"))
        // All there is has been asked for.
        try await settle(player)
        #expect(player.audioRenderer.loadedTimeRanges.last?.end == player.duration)
        player.renderSynchronizer.removeRenderer(player.audioRenderer)
        await speaker.shutdown()
    }

    @Test func playingAQueue() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = try [1.5, 0.5, 0.5].enumerated().map { number, seconds in
            let path = "\(folder)/\(number).wav"
            try PlayerStage.wave(UInt64(number), seconds: seconds).write(to: URL(fileURLWithPath: path))
            return path
        }
        var configuration = QueuePlayer.Configuration()
        configuration.stateDirectory = folder + "/state"
        let jukebox = Jukebox()
        let player = try await jukebox.begin([files[0], files[1]], in: [.local(device: "null")], configuration)
        let observers = [jukebox.observe(player), jukebox.observeProgress(player)]
        defer { for observer in observers { observer.cancel() } }
        try await jukebox.playNext(PlayerItem(path: files[2]), player)
        try await jukebox.playNext(PlayerItem(path: folder + "/none.wav"), player)
        try await eventually("everything is loaded") { jukebox.loadedShare == 1 }
        try await eventually("it is over") { jukebox.shownLines.last == "that was all" }
        let shown = jukebox.shownLines.filter { $0.hasPrefix("♪") }
        #expect(Array(shown.suffix(2)) == ["♪ \(files[2])", "♪ \(files[1])"])
        #expect(jukebox.shownLines.contains { $0.hasPrefix("\(folder)/none.wav is left out: ") })
        await player.stop()
    }

    @Test func theDocumentShowsWhatIsTested() throws {
        let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let example = "../../Examples/MusicBox"
        let sources = [
            "Listings.swift", "QueueListings.swift", "VideoListings.swift", example + "/Package.swift",
            example + "/Sources/music-box/MusicBox.swift",
        ]
        let listings = try sources.map {
            try String(contentsOf: folder.appendingPathComponent($0).standardizedFileURL, encoding: .utf8)
        }
        let document = try String(
            contentsOf: folder.appendingPathComponent("../../docs/library.md").standardizedFileURL, encoding: .utf8)
        func lines(_ text: some StringProtocol) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                .joined(separator: "\n")
        }
        let blocks = document.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count >= 16)
        for block in blocks {
            #expect(listings.contains { lines($0).contains(lines(block)) }, "not tested: \(block)")
        }
    }
}
