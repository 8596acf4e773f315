import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Pictures and sound of a file have one timeline", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct FilmSoundTests {
    /// A film that turns white and loud at one instant, whose pictures and sound begin at different ones.
    struct Offset: Sendable, CustomTestStringConvertible {
        let file: String
        let sound: [String]
        /// When pictures and sound begin, in tenths of a second.
        let (picturesBegin, soundBegins): (Int, Int)
        /// By how much a coding smears the sound, in seconds.
        var tolerance = 0.000_1
        var testDescription: String { "\(file), pictures from \(picturesBegin), sound from \(soundBegins)" }
    }

    static let offsets =
        [
            ("pcm.mkv", ["-c:a", "pcm_s16le"], 0.001), ("pcm.mov", ["-c:a", "pcm_s16le"], 0.001),
            ("alac.mp4", ["-c:a", "alac"], 0.001), ("aac.mp4", ["-c:a", "aac"], 0.03),
            ("aac.ts", ["-c:a", "aac"], 0.03),
            ("opus.mkv", ["-c:a", "libopus"], 0.02), ("flac.mkv", ["-c:a", "flac"], 0.001),
        ].flatMap { file, sound, tolerance in
            [(0, 0), (0, 4), (3, 0), (6, 2)].map {
                Offset(file: file, sound: sound, picturesBegin: $0.0, soundBegins: $0.1, tolerance: tolerance)
            }
            // Its sound and pictures begin together.
        } + [Offset(file: "pcm.avi", sound: ["-c:a", "pcm_s16le"], picturesBegin: 0, soundBegins: 0, tolerance: 0.001)]

    @Test("they agree to within what the coding allows", arguments: offsets)
    func agree(_ offset: Offset) throws {
        let shop = try Workshop()
        // Tenths of a second of the film: the flash and the tone.
        let instant = 20
        let flash = "\(Double(instant - offset.picturesBegin) / 10 - 0.001)"
        let tone = "\(Double(instant - offset.soundBegins) / 10)"
        try shop.run(
            [
                "ffmpeg", "-v", "error", "-itsoffset", "\(Double(offset.picturesBegin) / 10)", "-f", "lavfi", "-i",
                "color=black:s=64x48:r=50:d=3,drawbox=color=white:t=fill:enable='gte(t,\(flash))'", "-itsoffset",
                "\(Double(offset.soundBegins) / 10)", "-f", "lavfi", "-i",
                "aevalsrc='if(gte(t,\(tone)),0.8*cos(2*PI*1000*(t-\(tone))),0)':s=48000:d=3", "-map", "0", "-map", "1",
                "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p",
            ] + offset.sound + [offset.file])
        let input = AssetInput(uri: shop.path(offset.file))
        let asset = try Asset.open(input)
        let samples = try asset.readAll()
        let loud = try #require(samples.firstIndex { abs($0) > 0.3 })
        let heard = Double(loud / 2) / 48_000
        // As long as the sound is late by, it is missing from what is played.
        #expect(abs(heard - Double(instant - offset.soundBegins) / 10) <= offset.tolerance + 0.022)
        for reader in [try FilmReader(input), try FilmReader(input, sound: asset)] {
            let frames = try reader.decodeAll()
            let white = try #require(frames.first { $0.luma[0] > 128 })
            #expect(abs(white.presentationTime.seconds - heard) <= offset.tolerance, "\(white.presentationTime)")
            #expect(frames.allSatisfy { $0.presentationTime >= .zero })
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime <= $1.presentationTime })
        }
    }

    @Test("without sound they begin at zero")
    func silent() throws {
        let shop = try Workshop()
        let path = try shop.film("late.mkv", FilmReaderTests.h264 + ["-output_ts_offset", "1.2"], seconds: 1)
        let frames = try FilmReader(AssetInput(uri: path)).decodeAll()
        #expect(frames.map(\.presentationTime) == (0..<25).map { MediaTime(frame: $0, sampleRate: 25) })
    }
}
