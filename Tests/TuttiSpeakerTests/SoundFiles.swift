import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

/// A temporary folder with sound files made on the spot, gone with the object.
final class SoundFiles {
    /// How a file is made with ffmpeg.
    struct Coding: Sendable, CustomTestStringConvertible {
        let ending: String
        let codec: AudioFormat.Codec
        var options: [String] = []
        var rate = 44_100
        var isLossless = false
        var testDescription: String { ending }
    }

    static let codings = [
        Coding(ending: "mp3", codec: .mp3, options: ["-c:a", "libmp3lame", "-b:a", "192k"]),
        // Noise substitution would be drawn afresh at each decode.
        Coding(ending: "m4a", codec: .aac, options: ["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"]),
        Coding(ending: "alac.m4a", codec: .alac, options: ["-c:a", "alac"], isLossless: true),
        Coding(ending: "flac", codec: .flac, isLossless: true),
        Coding(ending: "opus", codec: .opus, options: ["-c:a", "libopus", "-b:a", "192k"], rate: 48_000),
        Coding(ending: "ogg", codec: .vorbis, options: ["-c:a", "libvorbis", "-q:a", "6"]),
        Coding(ending: "wav", codec: .pcm, isLossless: true),
    ]

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-seams-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Encodes 16-bit stereo samples, by way of a WAV file.
    func encode(_ samples: [Int16], as name: String, _ coding: Coding) throws -> AssetInput {
        let wave = folder.appendingPathComponent(name + ".in.wav")
        try Data(WAVHeader.file(samples, sampleRate: coding.rate, channelCount: 2)).write(to: wave)
        let file = folder.appendingPathComponent("\(name).\(coding.ending)")
        try OutsideTool.run(["ffmpeg", "-v", "error", "-y", "-i", wave.path] + coding.options + [file.path])
        return AssetInput(uri: file.path)
    }

    /// The first part of a file, as large a share of it as `share`.
    func cut(_ input: AssetInput, to share: Double) throws -> AssetInput {
        let whole = try Data(contentsOf: URL(fileURLWithPath: input.uri))
        let file = folder.appendingPathComponent("cut-" + URL(fileURLWithPath: input.uri).lastPathComponent)
        try whole.prefix(Int(Double(whole.count) * share)).write(to: file)
        return AssetInput(uri: file.path)
    }

    /// A sweep that begins at `frame`, equal in both channels but for its sign.
    static func sweep(_ frames: Range<Int>, rate: Int) -> [Int16] {
        frames.flatMap { frame -> [Int16] in
            let seconds = Double(frame) / Double(rate)
            let value = Int16(16_000 * sin(2 * .pi * (300 + 60 * seconds) * seconds))
            return [value, -value]
        }
    }

    /// A tone that begins at `frame`.
    static func tone(_ frames: Range<Int>, rate: Int, hertz: Double = 441) -> [Int16] {
        frames.flatMap { frame -> [Int16] in
            let value = Int16(16_000 * sin(2 * .pi * hertz * Double(frame) / Double(rate)))
            return [value, value]
        }
    }
}
