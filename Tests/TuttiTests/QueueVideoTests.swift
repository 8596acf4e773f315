import Foundation
import TestSupport
import Testing
import Tutti
import TuttiCore

/// A queue's pictures on a screen of the program, beside a card that records.
@Suite(.serialized, .repeatedWhenDisturbed, .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct QueueVideoTests {
    /// A player with films, and a screen for them.
    private struct Cinema {
        let stage: PlayerStage
        let screen = VideoScreen(clock: .system)
        var player: QueuePlayer { stage.player }

        init(hasScreen: Bool = true) async throws {
            stage = try await PlayerStage(rooms: hasScreen ? [.screen(screen)] : [])
        }

        func film(
            _ name: String, seconds: Double, first: Int = 0, hasSound: Bool = true, coding: [String] = NumberedFilm.h264
        ) throws -> PlayerItem {
            let sound = "\(stage.folder)/\(name).wav"
            try PlayerStage.wave(7, seconds: seconds).write(to: URL(fileURLWithPath: sound))
            return PlayerItem(
                path: try NumberedFilm.make(
                    name, in: stage.folder, seconds: seconds, sound: hasSound ? sound : nil, first: first,
                    coding: coding))
        }

        /// Whether the picture is seen, give or take one, that belongs to where the item stands.
        func isInStep(first: Int = 0) async -> Bool {
            let before = await player.currentTime.seconds
            let number = screen.number
            let after = await player.currentTime.seconds
            guard let number, after >= before, after - before < 0.2 else { return false }
            return (Int(before * 25) - 1...Int(after * 25) + 1).contains(number - first)
        }

        /// Waits until the right picture is seen, and sees that it is so from then on.
        func getsInStep(first: Int = 0) async throws {
            try await eventually("pictures are in step") { await isInStep(first: first) }
            var right = 0
            for _ in 0..<20 {
                if await isInStep(first: first) { right += 1 }
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(right >= 18, "\(right) of 20 looks")
        }

        func end() async {
            await player.stop()
            try? FileManager.default.removeItem(atPath: stage.folder)
        }
    }

    private func visit(hasScreen: Bool = true, _ body: (Cinema) async throws -> Void) async throws {
        let cinema = try await Cinema(hasScreen: hasScreen)
        do {
            try await body(cinema)
        } catch {
            await cinema.end()
            throw error
        }
        await cinema.end()
    }

    @Test func eachPictureIsSeenWithItsSound() async throws {
        for _ in 0..<3 {
            var began: Double?
            var seen: [(number: Int, instant: HostTime)] = []
            try await visit { cinema in
                let film = try cinema.film("film.mkv", seconds: 3)
                try await cinema.player.insert(film)
                try await cinema.player.play()
                try await cinema.stage.ends()
                seen = cinema.screen.numbers
                #expect(cinema.player.videoPerformance(of: .screen(cinema.screen))?.damagedFrames == 0)
                #expect(cinema.player.videoPerformance(of: .local()) == nil)
                await cinema.player.stop()
                try await eventually("nothing is seen") { cinema.screen.seenFrame == nil }
                if let recording = try PlayerStage.recording(cinema.stage.folder + "/card.wav") {
                    #expect(recording.sound == PlayerStage.samples(7, seconds: 3))
                    began = recording.began
                }
            }
            guard let began, Set(seen.map(\.number)).isSuperset(of: 0..<75) else { continue }
            let late = seen.filter { $0.number > 0 }.map { showing in
                (Double(showing.instant.nanoseconds) - began) / 1e6 - Double(showing.number) * 40
            }
            #expect(late.allSatisfy { abs($0) < 1 }, "\(late)")
            return
        }
        Issue.record("the card ran dry, or pictures were late, three times")
    }

    @Test func pausesSeeksAndRatesHold() async throws {
        try await visit { cinema in
            let player = cinema.player
            try await player.insert(try cinema.film("film.mkv", seconds: 20))
            try await player.play()
            try await cinema.getsInStep()
            try await player.seek(to: MediaTime(frame: 10, sampleRate: 1))
            try await eventually("the place is seen") { (cinema.screen.number ?? 0) >= 250 }
            try await cinema.getsInStep()
            try await player.pause()
            let place = Int(await player.currentTime.seconds * 25)
            try await eventually("it stands") { cinema.screen.number == place }
            try await Task.sleep(for: .milliseconds(300))
            #expect(cinema.screen.number == place)
            // 5.02 s lies in the picture of 5 s.
            try await player.seek(to: MediaTime(frame: 251, sampleRate: 50))
            try await eventually("the picture of the pause's place") { cinema.screen.number == 125 }
            try await player.setRate(1.5)
            try await cinema.getsInStep()
            let last = Array(cinema.screen.numbers.suffix(12))
            let steps = zip(last, last.dropFirst()).filter { $1.number == $0.number + 1 }.map { showing, next in
                Double(next.instant.nanoseconds(since: showing.instant)) / 1e6
            }
            // A picture may come late on a busy machine.
            #expect(steps.sorted().dropFirst(steps.count / 2).first.map { abs($0 - 40 / 1.5) < 1 } == true, "\(steps)")
        }
    }

    @Test func theNextItemAndEditsTakeThePicturesAlong() async throws {
        try await visit { cinema in
            let player = cinema.player
            let (one, two) = (
                try cinema.film("one.mkv", seconds: 20), try cinema.film("two.mkv", seconds: 4, first: 300)
            )
            let music = try cinema.stage.item(1, seconds: 20)
            try await player.insert([one, music])
            try await player.play()
            try await cinema.getsInStep()
            try await player.advanceToNextItem()
            // Music without a cover leaves nothing of the film before.
            try await eventually("black is seen") {
                cinema.screen.seenFrame.map { NumberedFilm.number(of: $0) == nil } ?? false
            }
            try await player.insert(two, after: music)
            try await player.remove(music)
            try await eventually("the film takes its place") { await player.currentItem === two }
            try await cinema.getsInStep(first: 300)
            try await player.returnToPreviousItem()
        }
    }

    @Test func aScreenComesAndGoesWhileAFilmPlays() async throws {
        try await visit(hasScreen: false) { cinema in
            let (player, screen) = (cinema.player, QueuePlayer.Output.screen(cinema.screen))
            try await player.insert(try cinema.film("film.mkv", seconds: 20))
            try await player.play()
            try await VideoListings.show(player, on: cinema.screen)
            try await cinema.getsInStep()
            #expect(player.outputs.count == 2 && player.outputs.contains(screen))
            await #expect(throws: QueuePlayerError.self) { try await player.add(screen) }
            try await player.remove(screen)
            try await eventually("nothing is seen") { cinema.screen.seenFrame == nil }
            #expect(player.outputs.count == 1 && player.videoPerformance(of: screen) == nil)
            let place = await player.currentTime
            try await player.add(screen)
            try await cinema.getsInStep()
            #expect(await player.currentTime > place)
        }
    }

    @Test func itemsWithoutSoundOrWithoutPicturesThatCanBeShown() async throws {
        try await visit { cinema in
            let player = cinema.player
            let silent = try cinema.film("silent.mkv", seconds: 1, hasSound: false)
            let strange = try cinema.film("strange.mkv", seconds: 2, coding: ["-c:v", "ffv1"])
            try await player.insert([silent, strange])
            try await player.play()
            // An item is its sound.
            try await cinema.stage.happens("the silent one fails") {
                if case .itemFailed(let item, .media(let reason)) = $0 {
                    item === silent && reason.contains("no audio")
                } else {
                    false
                }
            }
            try await cinema.stage.happens("its pictures cannot be shown") {
                if case .picturesFailed(let reason) = $0 { reason.contains("ffv1") } else { false }
            }
            try await cinema.stage.ends()
            #expect(strange.status == .readyToPlay && cinema.screen.numbers.isEmpty)
        }
    }

    @Test func screensOfOneNameAreRefused() async throws {
        var configuration = QueuePlayer.Configuration()
        configuration.stateDirectory = NSTemporaryDirectory() + "tutti-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: configuration.stateDirectory ?? "") }
        let (one, two) = (VideoOutput(), VideoOutput())
        #expect(QueuePlayer.Output.screen(one) == .screen(one) && QueuePlayer.Output.screen(one) != .screen(two))
        await #expect(throws: QueuePlayerError.invalid("two local outputs have the same name")) {
            _ = try await QueuePlayer(outputs: [.screen(one), .screen(two)], configuration: configuration)
        }
    }
}
