import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore
import TuttiSubtitles

@Suite("Subtitles of real films, drawn", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
final class FilmSubtitleTests {
    private static let (width, height) = (640, 360)
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-subtitles-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func write(_ text: String, _ encoding: String.Encoding, to name: String) throws {
        try #require(text.data(using: encoding)).write(to: folder.appendingPathComponent(name))
    }

    /// A film with a file of subtitles in it, coded as asked; all that it says, drawn at a time in milliseconds.
    private func draw(_ place: SubtitleTrack.Place, of film: String, at times: [Int64]) throws -> [[Int]] {
        let span = PictureSpan(serial: 1, input: AssetInput(uri: path(film)), start: .zero)
        let reader = SubtitleReader(span, place)
        let renderer = try SubtitleRenderer(width: Self.width, height: Self.height)
        while let cue = try reader.next(until: MediaTime(frame: 100, sampleRate: 1)) {
            renderer.append(cue, style: reader.style)
        }
        #expect(reader.problem == nil)
        return times.map { time in
            let tiles = renderer.picture(at: MediaTime(frame: time, sampleRate: 1_000)).tiles
            return rows(tiles)
        }
    }

    /// How many white pixels each third of the picture has, from the top down.
    private func rows(_ tiles: [SubtitleTile]) -> [Int] {
        var counts = [0, 0, 0]
        for tile in tiles {
            let top = tile.place.y * Double(Self.height)
            for (index, pixel) in tile.pixels.enumerated() where pixel.w > 200 && pixel.x > 200 {
                let row =
                    top + Double(index / tile.image.width) * tile.place.height * Double(Self.height)
                    / Double(tile.image.height)
                counts[min(2, Int(row) * 3 / Self.height)] += 1
            }
        }
        return counts
    }

    private static let subRip = "1\n00:00:01,000 --> 00:00:02,000\nÀ bientôt\n\n"

    @Test("are white in the lower third while they are said", arguments: ["srt", "ass", "webvtt"])
    func texts(_ coding: String) throws {
        try write(Self.subRip, .utf8, to: "a.srt")
        try OutsideTool.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x36:rate=5:duration=4", "-i", "a.srt",
                "-c:v", "mpeg2video", "-c:s", coding, "film.mkv",
            ], in: folder)
        check(try draw(.stream(1), of: "film.mkv", at: [999, 1_000, 1_999, 2_000]))
    }

    @Test("so are those of a file in Windows-1252")
    func windows() throws {
        try write(Self.subRip, .windowsCP1252, to: "a.srt")
        try write(Self.subRip, .utf8, to: "b.srt")
        let drawn = try draw(.file(path("a.srt")), of: "none.mkv", at: [999, 1_000, 1_999, 2_000])
        check(drawn)
        #expect(drawn == (try draw(.file(path("b.srt")), of: "none.mkv", at: [999, 1_000, 1_999, 2_000])))
    }

    private func check(_ drawn: [[Int]]) {
        #expect(drawn.first == [0, 0, 0] && drawn.last == [0, 0, 0])
        #expect(drawn[1...2].allSatisfy { $0[0] == 0 && $0[1] == 0 && $0[2] > 100 }, "\(drawn)")
    }
}
