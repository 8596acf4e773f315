import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("After a seek the next frame is the one asked for")
struct SeekTests {
    static let frames = 400_001
    static let targets = [399_990, 0, 1, 200_000, 123_457, 30_000, 390_123, 5, 250_001]

    struct Coding: Sendable, CustomTestStringConvertible {
        let file: String
        let options: [String]
        var tolerance: Float = 0
        var testDescription: String { file }
    }

    static let codings = [
        Coding(file: "a.wav", options: []), Coding(file: "a.flac", options: []), Coding(file: "a.wv", options: []),
        Coding(file: "alac.m4a", options: ["-c:a", "alac"]),
        // Noise substitution would be drawn afresh at each decode.
        Coding(file: "aac.m4a", options: ["-c:a", "aac", "-aac_pns", "0"]),
        Coding(file: "a.aac", options: ["-c:a", "aac", "-aac_pns", "0"]),
        Coding(file: "a.mp3", options: ["-c:a", "libmp3lame", "-q:a", "4"]),
        Coding(file: "low.mp3", options: ["-c:a", "libmp3lame", "-b:a", "40k"]),
        Coding(file: "a.ogg", options: ["-c:a", "libvorbis"]),
        Coding(file: "a.opus", options: ["-c:a", "libopus"], tolerance: 1e-5),
        Coding(file: "a.mka", options: ["-c:a", "libvorbis"]), Coding(file: "flac.ogg", options: ["-c:a", "flac"]),
    ]

    @Test(
        "Bit for bit what playing through gives", .enabled(if: OutsideTool.has("ffmpeg"), "ffmpeg is not installed"),
        arguments: codings)
    func seek(_ coding: Coding) throws {
        let shop = try Workshop()
        try shop.writeWAV("in.wav", frames: Self.frames, rate: 48_000)
        try shop.run(["ffmpeg", "-v", "error", "-i", "in.wav"] + coding.options + [coding.file])
        let input = AssetInput(uri: shop.path(coding.file))
        let whole = try Asset.open(input).readAll()
        let asset = try Asset.open(input)
        for target in Self.targets {
            try asset.seek(to: MediaTime(frame: Int64(target), sampleRate: 48_000))
            #expect(asset.currentTime == MediaTime(frame: Int64(target), sampleRate: 48_000))
            let samples = try #require(try asset.read(maximumFrames: 600)).samples
            let expected = whole[(target * 2)...].prefix(samples.count)
            let worst = zip(samples, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(worst <= coding.tolerance, "at frame \(target)")
        }
        try asset.seek(to: MediaTime(frame: 200_000, sampleRate: 48_000))
        #expect(try asset.readAll().count == whole.count - 400_000)
        try asset.seek(to: MediaTime(frame: 10_000_000, sampleRate: 48_000))
        #expect(try asset.read(maximumFrames: 10) == nil)
    }
}
