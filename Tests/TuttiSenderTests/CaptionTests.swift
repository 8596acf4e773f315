import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiWire

/// Texts above the pictures of films, and of music, on their way to screens.
@Suite(.serialized, .repeatedWhenDisturbed, .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct CaptionTests {
    private static let seconds = 20

    /// A film with German subtitles in it and English ones beside it, one each second, the last tenth of which has none.
    private static func film(in scratch: Scratch) throws -> String {
        for (name, word) in [("de.srt", "Satz"), ("film.en.srt", "line")] {
            let lines = (0..<seconds).map { "\($0 + 1)\n\(stamp($0, 0)) --> \(stamp($0, 900))\n\(word) \($0)\n\n" }
            try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: scratch.path + "/" + name))
        }
        try OutsideTool.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=\(seconds)", "-f",
                "lavfi", "-i", "sine=sample_rate=48000:duration=\(seconds)", "-i", "de.srt", "-c:v", "libx264", "-g",
                "25", "-c:a", "flac", "-c:s", "srt", "-metadata:s:s:0", "language=ger", "film.mkv",
            ], in: URL(fileURLWithPath: scratch.path))
        return scratch.path + "/film.mkv"
    }

    private static func stamp(_ second: Int, _ milliseconds: Int) -> String {
        "00:00:\(second < 10 ? "0" : "")\(second),\(milliseconds == 0 ? "000" : "\(milliseconds)")"
    }

    private static func screen(bufferSeconds: Int64 = 300) async throws -> FakeSpeaker {
        try await FakeSpeaker(
            "tv", bufferSeconds: bufferSeconds, pictureCodecs: ["h264", "mjpeg"],
            features: Welcome.allFeatures + [Welcome.captionsFeature])
    }

    /// What a screen is to show, by the seconds from which on it does.
    private static func shown(_ screen: FakeSpeaker) -> [Double: String] {
        var texts: [Double: String] = [:]
        for caption in screen.inspect({ $0.captions }) {
            switch caption {
            case .end(let time): texts = texts.filter { $0.key < time.seconds }
            case .card(let card, let range): texts[range.start.seconds] = card.title
            case .cue(let cue, let style):
                guard case .text(let text) = cue.content, style != nil else { continue }
                texts[cue.start.seconds] = text.split(separator: ",", omittingEmptySubsequences: false).last.map(
                    String.init)
            }
        }
        return texts
    }

    private static func expected(_ word: String, from first: Int = 0) -> [Double: String] {
        Dictionary(uniqueKeysWithValues: (first..<seconds).map { (Double($0), "\(word) \($0)") })
    }

    @Test func subtitlesOfTheFilmAndBesideItAreSent() async throws {
        let scratch = try Scratch()
        let film = try Self.film(in: scratch)
        let (kitchen, screen) = (try await FakeSpeaker("kitchen"), try await Self.screen())
        _ = try await PlayerHarness([film], [kitchen.room, screen.room]).run { player in
            try await player.setSubtitle(.language("de"))
            try await eventually("German ones") { Self.shown(screen) == Self.expected("Satz") }
            try await player.setSubtitle(.language("en"))
            try await eventually("English ones from where it plays") {
                Self.shown(screen).values.filter { $0.hasPrefix("line") }.count >= Self.seconds - 10
                    && Self.shown(screen)[19] == "line 19"
            }
            try await player.setSubtitle(.off)
            try await eventually("none any more") { Self.shown(screen)[19] == nil }
            #expect(kitchen.inspect { $0.captions.isEmpty })
            await player.stop()
        }
    }

    @Test func aFileThatIsNoneIsSaidAndTheFilmPlays() async throws {
        let scratch = try Scratch()
        let film = try Self.film(in: scratch)
        let screen = try await Self.screen()
        let broken = scratch.path + "/broken.ass"
        try Data(repeating: 0, count: 5_000).write(to: URL(fileURLWithPath: broken))
        let harness = try PlayerHarness([film], [screen.room])
        let events = await harness.player.events()
        _ = try await harness.run { player in
            await #expect(throws: SenderError.self) { try await player.setSubtitle(.file(scratch.path + "/none.srt")) }
            try await player.setSubtitle(.file(broken))
            try await eventually("all pictures are there") {
                screen.inspect { $0.pictures.count } == 25 * Self.seconds
            }
            try await player.setSubtitle(.file(scratch.path + "/film.en.srt"))
            try await eventually("the other file is read") { Self.shown(screen)[19] == "line 19" }
            await player.stop()
        }
        var lines: [String] = []
        for await event in events {
            if case .notice(.pictures(let text)) = event { lines.append(text) }
        }
        #expect(lines.count == 1 && lines[0].contains("broken.ass"))
    }

    @Test func aFileIsForTheFilmThatPlays() async throws {
        let scratch = try Scratch()
        let film = try Self.film(in: scratch)
        let screen = try await Self.screen()
        _ = try await PlayerHarness([film, film], [screen.room]).run { player in
            try await player.setSubtitle(.file(scratch.path + "/film.en.srt"))
            try await eventually("it plays, and all pictures of both are there") {
                screen.wasStarted && screen.inspect { $0.pictures.count } == 2 * 25 * Self.seconds
            }
            try await eventually("its texts are there") { Self.shown(screen)[19] == "line 19" }
            #expect(Self.shown(screen).allSatisfy { $0.key < 20 })
            await #expect(player.trackChoices.subtitle != .automatic)
            try await player.next()
            try await eventually("what the other film suggests") { await player.trackChoices.subtitle == .automatic }
            await player.stop()
        }
    }

    @Test func aSeekTakesThemAlong() async throws {
        let scratch = try Scratch()
        let film = try Self.film(in: scratch)
        let screen = try await Self.screen(bufferSeconds: 4)
        _ = try await PlayerHarness([film], [screen.room]).run { player in
            try await player.setSubtitle(.language("ger"))
            try await eventually("it plays") { screen.wasStarted && !Self.shown(screen).isEmpty }
            try await player.seek(.to(MediaTime(frame: 31, sampleRate: 2)))
            try await eventually("those from there on, with the one that is said already") {
                let texts = Self.shown(screen)
                return texts[15.5] == "Satz 15" && texts[16] == "Satz 16"
            }
            await player.stop()
        }
    }

    @Test func musicHasItsTitleAndAFilmHasNot() async throws {
        let scratch = try Scratch()
        let film = try Self.film(in: scratch)
        try OutsideTool.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=3", "-metadata",
                "title=So What", "-metadata", "artist=Miles Davis", "song.flac",
            ], in: URL(fileURLWithPath: scratch.path))
        let screen = try await Self.screen()
        _ = try await PlayerHarness([scratch.path + "/song.flac", film], [screen.room]).run { player in
            try await eventually("its card") { Self.shown(screen)[0] == "So What" }
            await #expect(throws: SenderError.self) { try await player.setSubtitle(.language("de")) }
            try await eventually("it plays") { screen.wasStarted }
            try await Task.sleep(for: .seconds(4))
            try await player.setSubtitle(.language("de"))
            try await eventually("the film's subtitles behind it") {
                Self.shown(screen).contains { abs($0.key - 11) < 0.2 && $0.value == "Satz 8" }
            }
            #expect(Self.shown(screen).values.filter { $0 == "So What" }.count == 1)
            await player.stop()
        }
    }

    @Test func aScreenThatComesBackGetsThoseThatAreStillToBeShown() async throws {
        let scratch = try Scratch()
        let film = try Self.film(in: scratch)
        let screen = try await Self.screen()
        _ = try await PlayerHarness([film], [screen.room]).run { player in
            try await player.setSubtitle(.number(1))
            try await eventually("all are there") { Self.shown(screen) == Self.expected("Satz") }
            screen.restart()
            try await eventually("they come again") { Self.shown(screen)[19] == "Satz 19" }
            await player.stop()
        }
    }
}
