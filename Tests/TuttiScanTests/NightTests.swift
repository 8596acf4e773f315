import Foundation
import Testing
import TuttiAssets
import TuttiCore
import TuttiProduction

/// Night mode on the timeline that the producer makes.
@Suite struct NightTests {
    private let folder: ScanFolder
    /// Decibels that soft sound is raised by.
    private static let makeUp = 9.0

    init() throws { folder = try ScanFolder() }

    private func item(
        _ path: String, _ serial: Int, _ night: NightMode, at start: MediaTime = .zero, from offset: MediaTime = .zero
    ) -> ProducerItem {
        ProducerItem(
            serial: serial, input: AssetInput(uri: path), start: start, offset: offset, begin: start + offset, rate: 1,
            head: nil, crossfade: .zero, night: night)
    }

    /// The level of the loudest sample of the left channel, in dBFS.
    private func level(_ samples: [Double], _ frames: Range<Int>) -> Double {
        20 * log10(frames.map { abs(samples[2 * $0]) }.max() ?? 0)
    }

    @Test func loudSoundGetsSofterAndSoftSoundLouder() throws {
        let options = try EncodingOptions(codec: .pcm)
        for (level, expected) in [(0.0, -11.0), (-6, -13), (-20, -17.7), (-45, -36)] {
            let path = try folder.add("tone.wav", ToneWave(level: level, seconds: 3))
            let made = try MadeSound.make([item(path, 0, NightMode(true))], options: options)[0]
            #expect(made.samples.count == 2 * 3 * ToneWave.rate)
            // From the first moment on: it has heard how loud the track begins.
            for frames in [100..<2_000, 60_000..<100_000] {
                let found = self.level(made.samples, frames)
                #expect(abs(found - expected) < 0.6, "\(level) dBFS became \(found)")
            }
        }
    }

    @Test func nothingIsDelayedAndJoinsHaveNoStep() throws {
        let first = ToneWave(level: -45, seconds: 2.0005)
        let frames = Int(first.seconds * Double(ToneWave.rate))
        let paths = [
            try folder.add("1.wav", first),
            try folder.add("2.wav", ToneWave(level: -45, seconds: 2, phase: frames)),
        ]
        let made = try MadeSound.make(
            [
                item(paths[0], 0, NightMode(true)),
                item(paths[1], 1, NightMode(true), at: MediaTime(frame: Int64(frames), sampleRate: ToneWave.rate)),
            ], options: EncodingOptions(codec: .pcm))
        let samples = made[0].samples + made[1].samples
        #expect(samples.count == 2 * (frames + 2 * ToneWave.rate))
        let amplitude = pow(10, (-45 + Self.makeUp) / 20)
        var worst = 0.0
        for frame in 0..<samples.count / 2 {
            let angle = 2 * Double.pi * ToneWave.hertz * Double(frame) / Double(ToneWave.rate)
            worst = max(worst, abs(samples[2 * frame] - amplitude * sin(angle)))
        }
        // Half a step of 16 bits, raised by 9 dB, and what the limiter rounds.
        #expect(worst < 6e-5, "\(worst)")
    }

    @Test func aSwitchInsideOfATrackIsACrossfade() throws {
        let path = try folder.add("a.wav", ToneWave(level: -6, seconds: 4))
        let second = MediaTime(frame: 1, sampleRate: 1)
        let made = try MadeSound.make(
            [
                item(path, 0, NightMode(true, after: false), from: second),
                item(path, 1, NightMode(false, after: true), from: second),
                item(path, 2, NightMode(false), from: second),
            ], options: EncodingOptions(codec: .pcm))
        for made in made { #expect(made.samples.count == 2 * 3 * ToneWave.rate) }
        #expect(abs(level(made[0].samples, 0..<60) - -6) < 0.3)
        #expect(abs(level(made[0].samples, 2_500..<5_000) - -13) < 0.6)
        #expect(abs(level(made[1].samples, 0..<60) - -13) < 0.6)
        // Off again, it is bit for bit.
        #expect(made[1].samples[5_000...] == made[2].samples[5_000...])
        #expect(made[2].bytesPerSample == 2)
        let slope = pow(10, -6.0 / 20) * 2 * .pi * ToneWave.hertz / Double(ToneWave.rate)
        for samples in [made[0].samples, made[1].samples] {
            #expect((1..<ToneWave.rate).allSatisfy { abs(samples[2 * $0] - samples[2 * $0 - 2]) < slope * 1.05 })
        }
    }

    @Test func originalsTravelAsFLACWhileItIsOn() throws {
        let path = try folder.add("a.wav", ToneWave(level: -6, seconds: 2))
        let made = try MadeSound.make(
            [item(path, 0, NightMode(true)), item(path, 1, NightMode(false))], options: .original)
        #expect(made[0].codecs == [.flac] && made[1].codecs == [.pcm])
    }

    @Test func peaksThatComeOfASuddenStayBelowFullScale() throws {
        // Two seconds of next to nothing, then full scale.
        let quiet = try folder.add("quiet.wav", ToneWave(level: -70, seconds: 2))
        let loud = try folder.add("loud.wav", ToneWave(level: 0, seconds: 1))
        let made = try MadeSound.make(
            [
                item(quiet, 0, NightMode(true)),
                item(loud, 1, NightMode(true), at: MediaTime(frame: 2, sampleRate: 1)),
            ], options: EncodingOptions(codec: .pcm))
        #expect(level(made[1].samples, 0..<48_000) < -0.9)
    }
}
