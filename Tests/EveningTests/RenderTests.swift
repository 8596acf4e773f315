import Foundation
import TestSupport
import Testing
import TuttiCore

/// A folder for the files of a test, with the programs run in it.
private final class Studio {
    let path = NSTemporaryDirectory() + "tutti-render-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func process(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        return process
    }

    func tutti(_ words: String...) throws -> Programs.Outcome {
        try Programs.run(process([Programs.folder + "/tutti"] + words))
    }

    func run(_ words: String...) throws -> Programs.Outcome { try Programs.run(process(words)) }

    /// Everything there, hidden or not.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) }

    /// Writes a tone of 16 bits, the same on both sides.
    func tone(_ name: String, seconds: Double = 2, frequency: Double = 1_000, level: Double = 0.5) throws {
        let rate = 48_000
        let samples = (0..<Int(seconds * Double(rate))).flatMap { frame -> [Int16] in
            let value = 32_767 * level * sin(2 * .pi * frequency * Double(frame) / Double(rate))
            return [Int16(value.rounded()), Int16(value.rounded())]
        }
        try Data(WAVHeader.file(samples, sampleRate: rate, channelCount: 2))
            .write(to: URL(fileURLWithPath: path + "/" + name))
    }

    /// The samples of a file, decoded by ffmpeg.
    func samples(_ name: String) throws -> [Float] {
        let outcome = try run("ffmpeg", "-v", "error", "-y", "-i", name, "-f", "f32le", "decoded.f32")
        #expect(outcome.code == 0, "\(outcome)")
        return try bytes("decoded.f32").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// The level in dB of the middle of a file's left side.
    func level(_ name: String) throws -> Double {
        let samples = try samples(name)
        let left = stride(from: samples.count / 4 / 2 * 2, to: samples.count * 3 / 4, by: 2).map { Double(samples[$0]) }
        return 10 * log10(left.reduce(0) { $0 + $1 * $1 } / Double(left.count))
    }
}

/// `tutti render` through the programs, with ffmpeg as the judge of what comes out.
@Suite("Rendering", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct RenderTests {
    private let studio: Studio

    init() throws { studio = try Studio() }

    @Test("without effects the samples are the same, in WAV and FLAC, with the tags of the input")
    func unchanged() throws {
        try studio.tone("plain.wav")
        _ = try studio.run(
            "ffmpeg", "-v", "error", "-i", "plain.wav", "-metadata", "title=Tone", "-metadata", "artist=Nobody",
            "-metadata",
            "REPLAYGAIN_TRACK_GAIN=-7 dB", "tone.flac")
        let original = try studio.samples("plain.wav")
        for out in ["out.wav", "out.flac"] {
            let outcome = try studio.tutti("render", "tone.flac", "-o", out)
            #expect(outcome.code == 0 && outcome.output.contains("\(out): 0:02 at 48000 Hz, 16 bits"), "\(outcome)")
            #expect(try studio.samples(out) == original)
            let tags = try studio.run("ffprobe", "-v", "error", "-show_entries", "format_tags", out).output.lowercased()
            #expect(
                tags.contains("title=tone") && tags.contains("artist=nobody") && !tags.contains("replaygain"), "\(tags)"
            )
        }
    }

    @Test("a peak of -12 dB makes a tone 12 dB softer; reverberation rings on")
    func effects() throws {
        try studio.tone("tone.wav")
        #expect(try studio.tutti("render", "tone.wav", "-o", "eq.flac", "--eq", "peak 1000 -12").code == 0)
        #expect(abs(try studio.level("eq.flac") - studio.level("tone.wav") + 12) < 0.02)
        #expect(try studio.samples("eq.flac").count == 2 * 96_000)
        let outcome = try studio.tutti("render", "tone.wav", "-o", "hall.flac", "--reverb", "largeHall:50", "--json")
        #expect(outcome.code == 0, "\(outcome)")
        struct Result: Decodable {
            var frames: Int
            var ratio: Double
            var sampleRate: Int
            var bits: String
        }
        let result = try JSONDecoder().decode(Result.self, from: Data(outcome.output.utf8))
        #expect(result.frames > 150_000 && result.ratio > 1 && result.sampleRate == 48_000 && result.bits == "24")
        #expect(try studio.samples("hall.flac").count == 2 * result.frames)
    }

    @Test("--loudness -16 is what ffmpeg measures, within 0.3 LU")
    func loudness() throws {
        _ = try studio.run(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=color=pink:seed=5:duration=20:sample_rate=44100",
            "-filter:a", "volume=-20dB,tremolo=f=0.2:d=0.8", "-ac", "2", "noise.wav")
        for (out, words) in [("a.wav", []), ("b.opus", ["--limit", "-2"]), ("c.flac", ["--reverb", "20"])] {
            let outcome = try Programs.run(
                studio.process(
                    [Programs.folder + "/tutti", "render", "noise.wav", "-o", out, "--loudness", "-16"] + words))
            #expect(outcome.code == 0 && outcome.output.contains("LUFS"), "\(outcome)")
            let measured = try studio.run("ffmpeg", "-nostats", "-i", out, "-filter:a", "ebur128", "-f", "null", "-")
                .errors
            let line = try #require(
                measured.split(separator: "\n").last { $0.contains("I:") && $0.contains("LUFS") }, "\(measured)")
            let loudness = try #require(Double(line.split(separator: " ").dropFirst().first ?? ""))
            #expect(abs(loudness + 16) <= 0.3, "\(out): \(line)")
        }
    }

    @Test("lossy files are as long as the sound, and ffprobe agrees")
    func lossy() throws {
        try studio.tone("tone.wav", seconds: 1.2345)
        for (out, codec) in [("a.opus", "opus"), ("a.m4a", "aac")] {
            #expect(try studio.tutti("render", "tone.wav", "-o", out, "--bitrate", "128").code == 0)
            let probe = try studio.run(
                "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels:format=duration",
                "-of",
                "default=nw=1", out
            ).output
            #expect(probe.contains("codec_name=\(codec)") && probe.contains("sample_rate=48000"), "\(probe)")
            #expect(probe.contains("channels=2"))
            let duration = probe.split(separator: "\n").last { $0.hasPrefix("duration=") }?.dropFirst(9)
            // What Opus leaves out at the beginning counts there.
            #expect(abs((Double(duration ?? "") ?? 0) - 1.2345) < 0.0071, "\(probe)")
            #expect(abs(try studio.level(out) - studio.level("tone.wav")) < 0.2)
            let again = try studio.tutti("render", out, "-o", "again.wav", "--json", "--force")
            #expect(again.output.contains("\"frames\":59256"), "\(again)")
        }
    }

    @Test("the same twice gives the same bytes, as does another order of options")
    func deterministic() throws {
        try studio.tone("tone.wav")
        for out in ["a.flac", "a.wav", "a.opus", "a.m4a"] {
            let words = ["--reverb", "30", "--eq", "lowshelf 100 3", "--loudness", "-20", "--limit", "-3"]
            let tutti = Programs.folder + "/tutti"
            for (name, options) in [("1" + out, words), ("2" + out, Array(words[4...] + words[..<4]))] {
                let outcome = try Programs.run(studio.process([tutti, "render", "tone.wav", "-o", name] + options))
                #expect(outcome.code == 0, "\(outcome)")
            }
            #expect(try studio.bytes("1" + out) == studio.bytes("2" + out))
        }
    }

    @Test("a mix, a convolution, a chain file, another rate and a picture")
    func rest() throws {
        try studio.tone("a.wav", level: 0.25)
        try studio.tone("b.wav", seconds: 1, level: 0.25)
        #expect(try studio.tutti("render", "a.wav", "b.wav", "--mix", "-o", "mix.wav").code == 0)
        #expect(try studio.samples("mix.wav").count == 2 * 96_000)
        #expect(try studio.tutti("render", "a.wav", "b.wav", "-o", "both.wav").code == 0)
        #expect(try studio.samples("both.wav").count == 2 * 144_000)
        try "0\n0.5\n".write(toFile: studio.path + "/ir.txt", atomically: true, encoding: .utf8)
        #expect(try studio.tutti("render", "a.wav", "-o", "ir.wav", "--convolve", "ir.txt", "--bits", "32f").code == 0)
        #expect(abs(try studio.level("ir.wav") - studio.level("a.wav") + 6.02) < 0.01)
        try "gain -6\nlimit -20\n".write(toFile: studio.path + "/chain.txt", atomically: true, encoding: .utf8)
        let outcome = try studio.tutti(
            "render", "a.wav", "-o", "chain.flac", "--chain", "chain.txt", "--rate", "44100", "--plot", "p.svg")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try studio.samples("chain.flac").map(abs).max() ?? 1 <= 0.1001)
        #expect(
            try studio.run("ffprobe", "-v", "error", "-show_entries", "stream=sample_rate", "chain.flac").output
                .contains("44100"))
        #expect(String(decoding: try studio.bytes("p.svg"), as: UTF8.self).hasPrefix("<svg"))
    }

    @Test("what is wrong is said in one line, with its status, and leaves nothing")
    func wrong() throws {
        try studio.tone("tone.wav")
        try Data(studio.bytes("tone.wav").prefix(100_000)).write(to: URL(fileURLWithPath: studio.path + "/cut.wav"))
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: studio.path + "/text.wav"))
        try FileManager.default.createSymbolicLink(atPath: studio.path + "/link.wav", withDestinationPath: "tone.wav")
        let before = studio.names
        let cases: [(words: [String], code: Int32, text: String)] = [
            (["tone.wav", "-o", "out.mp3"], 2, "must end with .wav, .flac, .opus or .m4a"),
            (["tone.wav", "-o", "link.wav", "--force"], 2, "is the same file as tone.wav"),
            (["nowhere.wav", "-o", "out.wav"], 3, "nowhere.wav: no such file"),
            (["text.wav", "-o", "out.wav"], 3, "text.wav: not an audio file"),
            (["cut.wav", "-o", "out.flac"], 3, "cut.wav: the file is cut off"),
            (["tone.wav", "-o", "cut.wav"], 4, "cut.wav exists already"),
            (["tone.wav", "-o", "nowhere/out.wav"], 1, "cannot write nowhere/out.wav: No such file or directory"),
            (["tone.wav", "-o", "out.wav", "--eq", "peak 1000"], 2, "gain"),
            (["tone.wav", "-o", "out.wav", "--reverb", "barn:10"], 2, "there is no such preset"),
            (["tone.wav", "-o", "out.wav", "--reverb", "110"], 2, "allowed: 0 to 100"),
            (["tone.wav", "-o", "out.wav", "--convolve", "no.wav"], 3, "no.wav: no such file"),
            (["tone.wav", "-o", "out.wav", "--chain", "no.yaml"], 2, "no.yaml: no such file"),
            (["tone.wav", "-o", "out.wav", "--loudness", "3"], 2, "-60 to -5 LUFS"),
            (["tone.wav", "-o", "out.wav", "--eq", "peak 30000 -3"], 2, "30000 Hz"),
            (["tone.wav", "-o", "out.opus", "--rate", "44100"], 2, "48000 Hz"),
            (["tone.wav", "-o", "out.flac", "--bits", "32f"], 2, "FLAC has no floats"),
            (["tone.wav", "-o", "out.wav", "--plot", "out.wav"], 2, "same file"),
            (["-o", "out.wav"], 2, "input"),
        ]
        for (words, code, text) in cases {
            let outcome = try Programs.run(studio.process([Programs.folder + "/tutti", "render"] + words))
            #expect(outcome.code == code && outcome.errors.contains(text), "\(words): \(outcome)")
            #expect(outcome.output.isEmpty)
            #expect(studio.names == before, "\(words)")
        }
    }

    @Test("a full disk is named, and leaves nothing", .enabled(if: FileManager.default.fileExists(atPath: "/bin/bash")))
    func full() throws {
        try studio.tone("tone.wav")
        for out in ["out.wav", "out.flac", "out.m4a"] {
            // The limit on a file's size stands for the disk's.
            let outcome = try studio.run(
                "bash", "-c",
                "ulimit -f 8; trap '' XFSZ; '\(Programs.folder)/tutti' render tone.wav -o \(out) --eq 'peak 1000 1'")
            #expect(outcome.code == 1 && outcome.errors.contains("cannot write \(out): File too large"), "\(outcome)")
            #expect(studio.names == ["tone.wav"])
        }
    }

    @Test("^C removes what is there so far, and ends with 130")
    func interrupted() throws {
        try studio.tone("tone.wav", seconds: 60)
        let list = Array(repeating: "tone.wav", count: 200)
        let process = studio.process(
            [Programs.folder + "/tutti", "render"] + list + ["-o", "out.flac", "--reverb", "30"])
        let errors = Pipe()
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
        try process.run()
        for _ in 0..<200 where studio.names.count < 2 { usleep(50_000) }
        #expect(studio.names.count == 2, "\(studio.names)")
        process.interrupt()
        process.waitUntilExit()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(process.terminationStatus == 130 && text == "tutti: interrupted; nothing was written\n", "\(text)")
        #expect(studio.names == ["tone.wav"])
    }
}
