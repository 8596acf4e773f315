#if FFmpeg
import Foundation
import Testing
import TuttiAssets
import TuttiCore

/// A folder of a test's own.
private final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tutti-sound-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Whatever lies there, hidden or not.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}

/// A deterministic noise of integers of so many bits, which floats hold exactly.
private func noise(frames: Int, channels: Int, bits: Int) -> [Float] {
    var state: UInt64 = 1
    return (0..<frames * channels).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int64(bitPattern: state) >> (64 - Int64(bits))) / Float(1 << (bits - 1))
    }
}

private func tone(frames: Int, rate: Int) -> [Float] {
    (0..<frames).flatMap { frame -> [Float] in
        let sample = Float(0.5 * sin(2 * Double.pi * 1_000 * Double(frame) / Double(rate)))
        return [sample, -sample]
    }
}

private func write(
    _ samples: [Float], _ settings: AudioFileSettings, to path: String, replacing: Bool = false, chunk: Int = 1_999
) throws {
    let file = try SoundFile(path, settings, replacing: replacing)
    var at = 0
    while at < samples.count {
        let end = min(samples.count, at + chunk * settings.channelCount)
        try samples[at..<end].withUnsafeBufferPointer { (buffer) throws(AudioFileError) in try file.write(buffer) }
        at = end
    }
    try file.close()
}

private func read(_ path: String) throws -> (samples: [Float], info: AssetInfo) {
    let asset = try Asset.open(AssetInput(uri: path))
    var samples: [Float] = []
    while let block = try asset.read(maximumFrames: 65_536) { samples += block.samples }
    return (samples, asset.info)
}

@Suite("Sound files that are written")
struct SoundFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(
        "lossless files give back every sample of as many bits",
        arguments: [
            ("wav", AudioFileSettings.SampleFormat.int16), ("wav", .int24), ("wav", .float32), ("flac", .int16),
            ("flac", .int24),
        ])
    func lossless(_ ending: String, _ format: AudioFileSettings.SampleFormat) throws {
        let container = try #require(AudioFileSettings.Container(path: "x." + ending))
        let samples = noise(frames: 30_011, channels: 2, bits: format == .int16 ? 16 : 24)
        let settings = AudioFileSettings(
            container, sampleRate: 44_100, sampleFormat: format, isDithered: false,
            tags: .init(title: "Ä title", artist: "Someone", album: "Album", track: 7))
        let path = folder.file("a." + ending)
        try write(samples, settings, to: path)
        let (found, info) = try read(path)
        #expect(found == samples)
        #expect(info.sampleRate == 44_100 && info.bitDepth == (format == .int16 ? 16 : format == .int24 ? 24 : 32))
        #expect(info.title == "Ä title" && info.artist == "Someone" && info.album == "Album" && info.track == 7)
        #expect(info.duration == MediaTime(frame: 30_011, sampleRate: 44_100) && info.isDurationExact)
        #expect(folder.names == ["a." + ending])
    }

    @Test("floats keep what is beyond full scale; integers cut it off and count it")
    func clipping() throws {
        let samples: [Float] = [1.5, -2, 0.25, .nan, 1, .infinity]
        let file = try SoundFile(
            folder.file("f.wav"), AudioFileSettings(.wav, sampleRate: 48_000, sampleFormat: .float32), replacing: false)
        try samples.withUnsafeBufferPointer { (buffer) throws(AudioFileError) in try file.write(buffer) }
        try file.close()
        #expect(file.clippedCount == 0 && file.frameCount == 3)
        #expect(try read(folder.file("f.wav")).samples == [1.5, -2, 0.25, 0, 1, 0])
        let clipped = try SoundFile(
            folder.file("i.wav"), AudioFileSettings(.wav, sampleRate: 48_000, sampleFormat: .int16, isDithered: false),
            replacing: false)
        try samples.withUnsafeBufferPointer { (buffer) throws(AudioFileError) in try clipped.write(buffer) }
        try clipped.close()
        #expect(clipped.clippedCount == 3)
        #expect(try read(folder.file("i.wav")).samples == [32_767.0 / 32_768, -1, 0.25, 0, 32_767.0 / 32_768, 0])
    }

    @Test("dither makes the error of 16 bits noise: less than 1.5 steps, without a mean, and not of the tone")
    func dither() throws {
        let samples = tone(frames: 96_000, rate: 48_000).map { $0 / 4_096 }
        try write(samples, AudioFileSettings(.wav, sampleRate: 48_000, sampleFormat: .int16), to: folder.file("d.wav"))
        let found = try read(folder.file("d.wav")).samples
        let errors = zip(found, samples).map { Double($0 - $1) * 32_768 }
        #expect(errors.allSatisfy { abs($0) <= 1.5 })
        #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 0.02)
        let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        // A twelfth from rounding and a sixth from the dither.
        #expect(abs(power - 0.25) < 0.02)
        let third = errors.enumerated().reduce(0.0) { sum, item in
            item.offset % 2 == 0 ? sum + item.element * sin(2 * .pi * 3_000 * Double(item.offset / 2) / 48_000) : sum
        }
        #expect(abs(third) / 48_000 < 0.01, "no third harmonic")
    }

    @Test(
        "lossy files have as many frames as were written, at their places",
        arguments: [
            ("opus", 48_000, 100_003), ("opus", 48_000, 960), ("m4a", 48_000, 100_003), ("m4a", 44_100, 44_101),
        ])
    func lossy(_ ending: String, _ rate: Int, _ frames: Int) throws {
        let container = try #require(AudioFileSettings.Container(path: "x." + ending))
        let samples = tone(frames: frames, rate: rate)
        let path = folder.file("a." + ending)
        try write(
            samples, AudioFileSettings(container, sampleRate: rate, tags: .init(title: "T", album: "A")), to: path)
        let (found, info) = try read(path)
        #expect(found.count / 2 == frames)
        #expect(info.title == "T" && info.album == "A" && info.sampleRate == rate)
        #expect(info.duration == MediaTime(frame: Int64(frames), sampleRate: rate))
        guard frames > 10_000, found.count == samples.count else { return }
        var (error, power) = (0.0, 0.0)
        for index in 4_000..<samples.count - 4_000 {
            error += pow(Double(found[index] - samples[index]), 2)
            power += pow(Double(samples[index]), 2)
        }
        #expect(10 * log10(error / power) < -25, "a shift by a frame would be -18 dB")
    }

    @Test("the same samples give the same bytes", arguments: ["a.wav", "a.flac", "a.opus", "a.m4a"])
    func deterministic(_ name: String) throws {
        let container = try #require(AudioFileSettings.Container(path: name))
        let samples = tone(frames: 20_000, rate: 48_000)
        let settings = AudioFileSettings(container, sampleRate: 48_000)
        try write(samples, settings, to: folder.file("1" + name), chunk: 1_000)
        try write(samples, settings, to: folder.file("2" + name), chunk: 777)
        let files = try ["1", "2"].map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0 + name))) }
        #expect(files[0] == files[1])
    }

    @Test("nothing is left of files that are not completed, and none is replaced unasked")
    func leftovers() throws {
        let settings = AudioFileSettings(.flac, sampleRate: 48_000)
        do {
            let file = try SoundFile(folder.file("a.flac"), settings, replacing: false)
            try [Float](repeating: 0.5, count: 20_000).withUnsafeBufferPointer { (buffer) throws(AudioFileError) in
                try file.write(buffer)
            }
            #expect(folder.names.count == 1 && folder.names != ["a.flac"])
        }
        #expect(folder.names == [])
        let path = folder.file("b.flac")
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: AudioFileError.exists(path)) { try SoundFile(path, settings, replacing: false) }
        try write(tone(frames: 5_000, rate: 48_000), settings, to: path, replacing: true)
        #expect(try read(path).samples.count == 10_000)
        #expect(folder.names == ["b.flac"])
        let discarded = try SoundFile(path, settings, replacing: true)
        discarded.discard()
        #expect(throws: AudioFileError.closed(path)) { try discarded.close() }
        #expect(folder.names == ["b.flac"])
    }

    @Test("what cannot be written says so")
    func refusals() throws {
        let settings = AudioFileSettings(.wav, sampleRate: 48_000)
        let missing = folder.file("nowhere/a.wav")
        #expect(throws: AudioFileError.unwritable(missing, reason: "No such file or directory")) {
            try SoundFile(missing, settings, replacing: false)
        }
        #expect(throws: AudioFileError.unwritable(folder.path, reason: "this is a folder")) {
            try SoundFile(folder.path, settings, replacing: true)
        }
        #expect(throws: AudioFileError.unwritable("/dev/null", reason: "this is no ordinary file")) {
            try SoundFile("/dev/null", settings, replacing: true)
        }
        for wrong in [
            AudioFileSettings(.flac, sampleRate: 48_000, sampleFormat: .float32),
            AudioFileSettings(.opus, sampleRate: 44_100), AudioFileSettings(.m4a, sampleRate: 192_000),
            AudioFileSettings(.wav, sampleRate: 48_000, channelCount: 9), AudioFileSettings(.wav, sampleRate: 0),
            AudioFileSettings(.opus, sampleRate: 48_000, bitRate: 1),
            AudioFileSettings(.wav, sampleRate: 48_000, bitRate: 1),
        ] {
            #expect(throws: AudioFileError.self) { try SoundFile(folder.file("x"), wrong, replacing: false) }
        }
        #expect(folder.names == [])
    }

    @Test("an empty file is a file")
    func empty() throws {
        for name in ["e.wav", "e.flac", "e.opus", "e.m4a"] {
            let container = try #require(AudioFileSettings.Container(path: name))
            try write([], AudioFileSettings(container, sampleRate: 48_000), to: folder.file(name))
        }
        #expect(folder.names == ["e.flac", "e.m4a", "e.opus", "e.wav"])
    }
}
#endif
