import Foundation
import TestSupport
import Testing
import TuttiCore
import TuttiSchema
import TuttiSender

/// Films in rooms of which some have a screen.
@Suite(.serialized, .repeatedWhenDisturbed, .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct FilmTests {
    private static let codecs = ["h264", "mjpeg"]

    /// A film of 25 pictures a second, with three between those that others refer to, and a sync picture each second.
    private static func film(_ name: String, seconds: Int, in scratch: Scratch) throws -> String {
        try OutsideTool.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=\(seconds)", "-f",
                "lavfi", "-i", "sine=sample_rate=48000:duration=\(seconds)", "-c:v", "libx264", "-bf", "3", "-g", "25",
                "-c:a", "flac", name,
            ], in: URL(fileURLWithPath: scratch.path))
        return scratch.path + "/" + name
    }

    private static func numbers(_ speaker: FakeSpeaker) -> [Int64] {
        speaker.inspect { $0.pictures.map { $0.presentationTime.frame(at: 25) } }
    }

    @Test func aScreenGetsThePicturesAndARoomDoesNot() async throws {
        let scratch = try Scratch()
        let film = try Self.film("film.mkv", seconds: 3, in: scratch)
        let (kitchen, screen) = (
            try await FakeSpeaker("kitchen"), try await FakeSpeaker("tv", pictureCodecs: Self.codecs)
        )
        let outcome = try await PlayerHarness([film], [kitchen.room, screen.room]).run()
        #expect(outcome.exitCode == 0)
        #expect(Self.numbers(kitchen).isEmpty)
        #expect(Self.numbers(screen).sorted() == Array(0..<75))
        #expect(screen.inspect { $0.pictures.filter(\.isSync).map { $0.presentationTime.seconds } } == [0, 1, 2])
        #expect(kitchen.inspect { $0.packets } == screen.inspect { $0.packets })
    }

    @Test func filmsFollowEachOtherAndMusicHasAStill() async throws {
        let scratch = try Scratch()
        let film = try Self.film("film.mkv", seconds: 2, in: scratch)
        let music = try scratch.wave("music.wav", frames: 48_000, rate: 48_000)
        let screen = try await FakeSpeaker("tv", pictureCodecs: Self.codecs)
        let outcome = try await PlayerHarness([film, music, film], [screen.room]).run()
        #expect(outcome.exitCode == 0)
        let end = screen.inspect { $0.packets.last?.timeRange.end.seconds ?? 0 }
        let pictures = screen.inspect { $0.pictures }
        let stills = pictures.filter { $0.format.codec == .mjpeg }
        #expect(stills.count == 1)
        // The sound of the film may be some frames longer or shorter than its pictures.
        let begin = try #require(stills.first).presentationTime.seconds
        #expect(abs(begin - 2) < 0.1)
        let second = pictures.filter { $0.presentationTime.seconds > begin }
        #expect(second.count == 50 && abs((second.first?.presentationTime.seconds ?? 0) - begin - 1) < 0.001)
        #expect(abs(end - 5) < 0.2)
    }

    @Test func aSeekAndAnotherRateTakeThePicturesAlong() async throws {
        let scratch = try Scratch()
        let film = try Self.film("film.mkv", seconds: 30, in: scratch)
        let screen = try await FakeSpeaker("tv", bufferSeconds: 5, pictureCodecs: Self.codecs)
        _ = try await PlayerHarness([film], [screen.room]).run { player in
            try await eventually("it plays") { screen.wasStarted && Self.numbers(screen).count >= 100 }
            #expect(Self.numbers(screen).count < 300)
            try await player.seek(.to(MediaTime(frame: 41, sampleRate: 2)))
            try await eventually("pictures are there from the sync one before on") {
                let times = screen.inspect { $0.pictures.map(\.presentationTime.seconds) }
                // What lies before the place is decoded and not shown.
                return times.count >= 100 && times.allSatisfy { $0 >= 20 } && times.contains(20.52)
            }
            // Where it plays there is a picture for each of the film's, at its place beside the sound.
            let (first, count) = screen.inspect { ($0.pictures.first, $0.pictures.count) }
            #expect(first?.isSync == true && count > 0)
            try await player.setRate(1.5)
            try await eventually("pictures follow each other faster") {
                let times = screen.inspect { $0.pictures.map(\.presentationTime.seconds) }.sorted().suffix(100)
                guard let first = times.first, let last = times.last, times.count == 100 else { return false }
                return abs((last - first) - 99.0 / 25 / 1.5) < 0.01
            }
            await player.stop()
        }
    }

    @Test func whatAScreenCannotDecodeIsSaidAndTheSoundPlays() async throws {
        let scratch = try Scratch()
        let film = try Self.film("film.mkv", seconds: 2, in: scratch)
        let screen = try await FakeSpeaker("tv", pictureCodecs: ["vp9"])
        let harness = try PlayerHarness([film], [screen.room])
        let events = await harness.player.events()
        let outcome = try await harness.run()
        #expect(outcome.exitCode == 0 && screen.heldSeconds > 1.9 && Self.numbers(screen).isEmpty)
        var lines: [String] = []
        for await event in events {
            if case .room(_, .told("pictures"), let message) = event { lines.append(message) }
        }
        #expect(lines == ["pictures are not shown: its screen cannot decode h264"])
    }

    @Test func aScreenThatComesBackGoesOnWithItsPictures() async throws {
        let scratch = try Scratch()
        let film = try Self.film("film.mkv", seconds: 20, in: scratch)
        let (kitchen, screen) = (
            try await FakeSpeaker("kitchen"), try await FakeSpeaker("tv", pictureCodecs: Self.codecs)
        )
        _ = try await PlayerHarness([film], [kitchen.room, screen.room]).run { player in
            try await eventually("all is there") { Self.numbers(screen).count == 500 }
            screen.restart()
            try await eventually("all is there that is still to be seen") {
                let numbers = Self.numbers(screen).sorted()
                guard let first = numbers.first, numbers.last == 499 else { return false }
                return numbers == Array(first..<500)
            }
            await player.stop()
        }
    }
}
