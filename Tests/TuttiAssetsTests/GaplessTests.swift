import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("Every frame of the original comes back, no more and no fewer")
struct GaplessTests {
    /// Divides by no codec's packet length.
    static let frames = 100_003

    struct Coding: Sendable, CustomTestStringConvertible {
        let file: String
        let tool: String
        let command: @Sendable (String, String) -> [String]
        var isLossless = false
        var isExact = true
        var testDescription: String { "\(file) by \(tool)" }
    }

    static func ffmpeg(_ file: String, _ options: String..., isLossless: Bool = false, isExact: Bool = true) -> Coding {
        Coding(
            file: file, tool: "ffmpeg", command: { ["ffmpeg", "-v", "error", "-i", $0] + options + [$1] },
            isLossless: isLossless, isExact: isExact)
    }

    static let codings: [Coding] = [
        Coding(file: "a.flac", tool: "flac", command: { ["flac", "-s", $0, "-o", $1] }, isLossless: true),
        Coding(file: "a.wv", tool: "wavpack", command: { ["wavpack", "-q", $0, "-o", $1] }, isLossless: true),
        Coding(file: "a.aiff", tool: "sox", command: { ["sox", $0, $1] }, isLossless: true),
        Coding(file: "v2.mp3", tool: "lame", command: { ["lame", "--quiet", "-V2", $0, $1] }, isExact: false),
        Coding(file: "cbr.mp3", tool: "lame", command: { ["lame", "--quiet", "-b", "320", $0, $1] }, isExact: false),
        Coding(file: "a.ogg", tool: "oggenc", command: { ["oggenc", "-Q", $0, "-o", $1] }),
        ffmpeg("alac.m4a", "-c:a", "alac", isLossless: true),
        ffmpeg("flac.mka", "-c:a", "flac", isLossless: true, isExact: false),
        ffmpeg("a.caf", isLossless: true, isExact: false),
        ffmpeg("alac.caf", "-c:a", "alac", isLossless: true, isExact: false),
        ffmpeg("aac.m4a", "-c:a", "aac"),
        ffmpeg("ff.mp3", "-c:a", "libmp3lame", "-b:a", "128k", isExact: false),
        ffmpeg("ff.ogg", "-c:a", "libvorbis"),
    ]

    @Test("Sum of frames and, where lossless, each sample", arguments: codings)
    func sumOfFrames(_ coding: Coding) throws {
        guard OutsideTool.has(coding.tool) else { return try skip(coding.tool) }
        let shop = try Workshop()
        let original = try shop.writeWAV("in.wav", frames: Self.frames)
        let arguments = coding.command(shop.path("in.wav"), shop.path(coding.file))
        try shop.run(arguments)
        let asset = try Asset.open(AssetInput(uri: shop.path(coding.file)))
        let samples = try asset.readAll()
        #expect(samples.count / 2 == Self.frames)
        #expect(asset.damageCount == 0)
        #expect(asset.info.sampleRate == 44_100)
        #expect(asset.info.isDurationExact == coding.isExact)
        // The tag of an MP3 may lie, so its length is not called exact; here it is right.
        if coding.isExact || coding.file.hasSuffix(".mp3") {
            #expect(asset.info.duration == MediaTime(frame: Int64(Self.frames), sampleRate: 44_100))
        }
        let expected = original.map { Float($0) / 32_768 }
        if coding.isLossless {
            #expect(samples == expected)
        } else {
            #expect(Self.alignment(of: samples, with: expected) == 0)
        }
    }

    @Test(
        "Opus gives pre-skip and end padding back", .enabled(if: OutsideTool.has("opusenc"), "opusenc is not installed")
    )
    func opus() throws {
        let shop = try Workshop()
        try shop.writeWAV("in.wav", frames: Self.frames, rate: 48_000)
        try shop.run("opusenc", "--quiet", "in.wav", "out.opus")
        let asset = try Asset.open(AssetInput(uri: shop.path("out.opus")))
        #expect(asset.info.duration == MediaTime(frame: Int64(Self.frames), sampleRate: 48_000))
        #expect(try asset.readAll().count / 2 == Self.frames)
    }

    /// The shift, in frames, at which two sounds agree best.
    static func alignment(of samples: [Float], with original: [Float]) -> Int? {
        (-3...3).max { error($0, samples, original) > error($1, samples, original) }
    }

    private static func error(_ shift: Int, _ samples: [Float], _ original: [Float]) -> Float {
        (20_000..<24_000).reduce(0) { sum, frame in
            let difference = samples[(frame + shift) * 2] - original[frame * 2]
            return sum + difference * difference
        }
    }

    private func skip(_ tool: String) throws { try Test.cancel("\(tool) is not installed") }
}
