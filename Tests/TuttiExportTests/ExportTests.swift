#if FFmpeg
import Foundation
import Testing
import TuttiAssets
import TuttiChain
import TuttiCore
import TuttiEffects
import TuttiExport

private final class Folder {
    let path = NSTemporaryDirectory() + "tutti-export-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// Writes 24-bit samples of two channels.
    func write(_ name: String, rate: Int = 48_000, _ samples: [Float]) throws -> String {
        let file = try SoundFile(
            self.file(name), AudioFileSettings(.wav, sampleRate: rate, isDithered: false), replacing: true)
        try samples.withUnsafeBufferPointer { (buffer) throws(AudioFileError) in try file.write(buffer) }
        try file.close()
        return self.file(name)
    }
}

private func noise(_ frames: Int, seed: UInt64 = 1, level: Float = 0.25) -> [Float] {
    var state = seed
    return (0..<2 * frames).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return level * (Float(Int64(bitPattern: state) >> 40) / Float(1 << 23))
    }.map { ($0 * 8_388_608).rounded() / 8_388_608 }
}

private func sine(_ frames: Int, _ frequency: Double, rate: Int = 48_000, level: Double = 0.5) -> [Float] {
    (0..<frames).flatMap { frame -> [Float] in
        let sample = Float(level * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
        return [sample, sample]
    }
}

private func read(_ path: String) throws -> [Float] {
    let asset = try Asset.open(AssetInput(uri: path))
    var samples: [Float] = []
    while let block = try asset.read(maximumFrames: 65_536) { samples += block.samples }
    return samples
}

private func level(_ samples: ArraySlice<Float>) -> Double {
    10 * log10(samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count))
}

@Suite("Rendering to files")
struct ExportTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func render(
        _ paths: [String], chain: [Effect] = [], impulses: [String: ImpulseResponse] = [:], isMix: Bool = false,
        rate: Int = 48_000, tail: Double? = nil, levels: ExportSession.Levels = .init(), to name: String = "out.wav",
        drawn: Bool = false
    ) throws -> (samples: [Float], report: ExportReport, session: ExportSession) {
        let source = ExportSource(
            inputs: paths.map { AssetInput(uri: $0) }, isMix: isMix, chain: EffectChain(chain), impulses: impulses,
            sampleRate: rate, tail: tail)
        let inputs = try ExportSession.open(source.inputs, interrupter: Interrupter())
        let session = try ExportSession(source, inputs: inputs, levels: levels, isDrawn: drawn)
        let settings = AudioFileSettings(.wav, sampleRate: rate, sampleFormat: .float32)
        let report = try session.run(to: folder.file(name), settings, replacing: true)
        return (try read(folder.file(name)), report, session)
    }

    @Test("without effects, inputs come out one after the other, bit for bit")
    func sequence() throws {
        let (a, b) = (noise(10_007), noise(12_345, seed: 2))
        let paths = [try folder.write("a.wav", a), try folder.write("b.wav", b)]
        let (samples, report, _) = try render(paths + paths)
        #expect(samples == a + b + a + b)
        #expect(report.frameCount == 2 * 22_352 && report.clippedCount == 0)
    }

    @Test("a mix is the sum, as long as its longest input")
    func mix() throws {
        let (a, b) = (noise(10_007), noise(12_345, seed: 2))
        let (samples, _, _) = try render([try folder.write("a.wav", a), try folder.write("b.wav", b)], isMix: true)
        #expect(samples.count == b.count)
        for index in 0..<min(samples.count, b.count) {
            #expect(samples[index] == b[index] + (index < a.count ? a[index] : 0), "\(index)")
            if samples[index] != b[index] + (index < a.count ? a[index] : 0) { break }
        }
    }

    @Test("latency is made up for, and a filtered track is as long as it was")
    func latency() throws {
        let a = noise(30_000)
        let path = try folder.write("a.wav", a)
        // A limiter looks ahead, and does nothing to sound this soft.
        let (samples, _, _) = try render([path], chain: [.gain(0), .limiter(Limiter(ceiling: 0))])
        #expect(samples.count == a.count)
        let worst = zip(samples, a).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 1e-6, "\(worst)")
    }

    @Test("a peak of -12 dB makes its sine 12 dB softer")
    func equalizer() throws {
        let path = try folder.write("s.wav", sine(96_000, 1_000))
        let (samples, _, _) = try render([path], chain: [.equalizer([EQBand(.peak, frequency: 1_000, gain: -12)])])
        #expect(samples.count == 192_000)
        #expect(abs(level(samples[48_000..<144_000]) - level(sine(48_000, 1_000)[...]) + 12) < 0.01)
    }

    @Test("a convolution is what it is by hand, and rings on after the end")
    func convolution() throws {
        let a = noise(5_000)
        var response = [Float](repeating: 0, count: 700)
        (response[0], response[100], response[699]) = (1, -0.5, 0.25)
        let impulse = try #require(ImpulseResponse(channels: [response], sampleRate: 48_000))
        let (samples, _, _) = try render(
            [try folder.write("a.wav", a)], chain: [.convolution(Convolution(impulse: "ir"))], impulses: ["ir": impulse]
        )
        #expect(samples.count >= 2 * 5_699 && samples.count < 2 * 12_000)
        var worst = 0.0
        for frame in 0..<5_699 {
            let sum = [(0, 1.0), (100, -0.5), (699, 0.25)].reduce(0.0) { sum, tap in
                let source = frame - tap.0
                return (0..<5_000).contains(source) ? sum + tap.1 * Double(a[2 * source]) : sum
            }
            worst = max(worst, abs(Double(samples[2 * frame]) - sum))
        }
        #expect(worst < 1e-6, "\(worst)")
        let cut = try render(
            [folder.file("a.wav")], chain: [.convolution(Convolution(impulse: "ir"))], impulses: ["ir": impulse],
            tail: 0)
        #expect(cut.samples == Array(samples.prefix(10_000)))
    }

    @Test("another rate keeps the sound: a sine stays where and what it is")
    func rate() throws {
        let path = try folder.write("s.wav", rate: 44_100, sine(44_100, 1_000, rate: 44_100))
        let (samples, report, _) = try render([path, path], rate: 48_000)
        #expect(abs(report.frameCount - 96_000) <= 2)
        let wanted = sine(48_000, 1_000)
        let errors = zip(samples[2_000..<90_000], wanted[2_000..<90_000]).map { $0 - $1 }
        #expect(level(errors[...]) < -90, "\(level(errors[...])) dB")
    }

    @Test("loudness is reached, also where a limiter has to help")
    func loudness() throws {
        let path = try folder.write("n.wav", noise(480_000))
        let plain = try render([path], levels: .init(loudness: -30))
        let first = try #require(plain.report.loudness)
        #expect(!first.isLimited && abs((first.after ?? 0) + 30) < 0.05)
        let peaks = noise(480_000, level: 0.1).enumerated().map { $0 % 9_600 < 4 ? $1 * 9 : $1 }
        let spiked = try folder.write("p.wav", peaks)
        let limited = try render([spiked], levels: .init(loudness: -12, ceiling: -2))
        let second = try #require(limited.report.loudness)
        #expect(second.isLimited && abs((second.after ?? 0) + 12) < 0.2, "\(second)")
        #expect((second.truePeak ?? 0) <= -1.99, "\(second)")
        #expect((limited.samples.map(abs).max() ?? 1) <= Float(pow(10, -2 / 20.0)))
        let silent = try folder.write("z.wav", [Float](repeating: 0, count: 96_000))
        #expect(throws: ExportError.silent) { try render([silent], levels: .init(loudness: -16), to: "no.wav") }
        #expect(!folder.names.contains("no.wav"))
    }

    @Test("the same twice gives the same bytes, and a picture is drawn of it")
    func deterministic() throws {
        let path = try folder.write("n.wav", noise(60_000))
        let chain: [Effect] = [.reverb(Reverb(.largeHall, wetDryMix: 50)), .compressor(Compressor())]
        let first = try render([path], chain: chain, drawn: true)
        let second = try render([path], chain: chain, to: "again.wav")
        #expect(first.samples == second.samples && first.samples.count > 120_000)
        let svg = try #require(first.session.figure).svg
        #expect(svg.hasPrefix("<svg") && svg.contains("average spectrum") && svg.count < 400_000)
        #expect(second.session.figure == nil)
    }

    @Test("a damaged input ends it, and leaves nothing")
    func damage() throws {
        let path = try folder.write("n.wav", noise(200_000))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        #expect { try render([path]) } throws: { error in
            guard case ExportError.input(.truncated) = error else { return false }
            return true
        }
        #expect(folder.names == ["n.wav"])
    }

    @Test("interrupted, it leaves nothing")
    func interruption() throws {
        let path = try folder.write("n.wav", noise(100_000))
        let interrupter = Interrupter()
        let source = ExportSource(inputs: [AssetInput(uri: path)], sampleRate: 48_000)
        let session = try ExportSession(
            source, inputs: ExportSession.open(source.inputs, interrupter: interrupter), interrupter: interrupter
        ) { progress in if progress.position > 1 { interrupter.interrupt() } }
        #expect(throws: ExportError.interrupted) {
            try session.run(to: folder.file("out.flac"), AudioFileSettings(.flac, sampleRate: 48_000), replacing: false)
        }
        #expect(folder.names == ["n.wav"])
    }
}
#endif
