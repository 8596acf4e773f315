import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Damaged films", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct DamagedFilmTests {
    /// Opens, seeks and decodes bytes that may be anything.
    private func tryAll(_ path: String, _ random: inout SplitMix64) throws {
        let from = MediaTime(frame: Int64(random.next() % 30), sampleRate: 10)
        let span = PictureSpan(serial: 1, input: AssetInput(uri: path), start: .zero, rate: 1.25)
        // On a timeline there is always a picture, with any damage.
        let pictures = try SpanReader(span, from: from).readAll()
        #expect(pictures.first?.isSync ?? false)
        guard let reader = try? FilmReader(AssetInput(uri: path)) else { return }
        for frame in (try? reader.decodeAll()) ?? [] {
            #expect(frame.luma.count == frame.width * frame.height && frame.presentationTime >= .zero)
        }
        for _ in 0..<2 {
            try? reader.seek(to: MediaTime(frame: Int64(random.next() % 40), sampleRate: 10))
            _ = try? reader.decodeAll()
        }
    }

    @Test("are errors or pictures, never the end of the process")
    func hostile() throws {
        let shop = try Workshop()
        let names = FilmReaderTests.codings.map(\.file)
        let files = try FilmReaderTests.codings.map { coding in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: try shop.film(coding.file, coding.options, seconds: 1))))
        }
        var run = FuzzRun("films", seed: 20_261)
        while !run.isOver {
            let number = Int(run.random.next() % UInt64(files.count))
            var bytes = files[number]
            for _ in 0..<1 << (run.random.next() % 8) {
                bytes[Int(run.random.next() % UInt64(bytes.count))] ^= UInt8(1 << (run.random.next() % 8))
            }
            if run.random.next() % 3 == 0 { bytes = Array(bytes.prefix(Int(run.random.next() % UInt64(bytes.count)))) }
            try tryAll(try shop.write(bytes, to: "damaged-" + names[number]), &run.random)
        }
    }

    @Test("that are cut off give what there is")
    func truncated() throws {
        let shop = try Workshop()
        let path = try shop.film("whole.mkv", FilmReaderTests.h264)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let whole = try FilmReader(AssetInput(uri: path)).decodeAll()
        let half = try shop.write(bytes.prefix(bytes.count / 2), to: "half.mkv")
        let frames = try FilmReader(AssetInput(uri: half)).decodeAll()
        #expect((20..<75).contains(frames.count))
        for (frame, same) in zip(frames, whole).prefix(frames.count - 4) { #expect(frame.luma == same.luma) }
    }
}
