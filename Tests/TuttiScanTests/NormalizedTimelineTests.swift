import Foundation
import Synchronization
import Testing
import TuttiAssets
import TuttiCore
import TuttiProduction
import TuttiScan
import TuttiStore

/// How loud the timeline is that the producer makes of files that were measured, judged by the meter.
@Suite struct NormalizedTimelineTests {
    private let folder: ScanFolder
    private let store: HouseStore

    init() throws {
        folder = try ScanFolder()
        store = try HouseStore(directory: folder.path + "/state")
    }

    private func item(
        _ path: String, _ serial: Int, _ level: TrackLevel, at start: MediaTime = .zero, from offset: MediaTime = .zero
    ) -> ProducerItem {
        ProducerItem(
            serial: serial, input: AssetInput(uri: path), start: start, offset: offset, begin: start + offset, rate: 1,
            head: nil, crossfade: .zero, level: level)
    }

    /// How loud sound is, by the meter.
    private func loudness(of made: [MadeSound]) throws -> Double {
        let path = folder.path + "/\(UUID().uuidString).wav"
        let data = made.reduce(Data()) { $0 + $1.data }
        try ToneWave.file(format: 1, bits: UInt16(8 * made[0].bytesPerSample), data, album: nil)
            .write(to: URL(filePath: path))
        return try #require(try scan([path])[path]?.figures.integrated)
    }

    @discardableResult
    private func scan(_ paths: [String]) throws -> [String: MeasuredTrack] {
        let tracks = Mutex<[String: MeasuredTrack]>([:])
        LoudnessScan(paths.map { AssetInput(uri: $0) }, store: store, threads: 2).run { event in
            if case .track(let input, let track, _) = event { tracks.withLock { $0[input.uri] = track } }
        }
        return tracks.withLock { $0 }
    }

    private func normalized(_ mode: LoudnessNormalization) -> TrackLevel {
        .normalized(mode, .lookedUp(store.loudnessLookup))
    }

    @Test func tracksOfAnyLoudnessAreAtMinus18() throws {
        let levels = [-3.0, -9.3, -14, -23, -27.7]
        let paths = try levels.enumerated().map {
            try folder.add("\($0).wav", ToneWave(level: $1, seconds: 8, album: "A"))
        }
        try scan(paths)
        let items = paths.enumerated().map { item($1, $0, normalized(.track)) }
        let made = try MadeSound.make(items, options: EncodingOptions(codec: .pcm))
        for track in made { #expect(abs(try loudness(of: [track]) - -18) < 0.2) }
        #expect(abs(try loudness(of: made) - -18) < 0.5)
    }

    @Test func anAlbumKeepsItsDifferencesAndHasNoStepAtItsJoins() throws {
        // One tone that goes on from file to file, and a softer track.
        let first = ToneWave(level: -9, seconds: 4.001, album: "A")
        let frames = Int(first.seconds * Double(ToneWave.rate))
        let paths = [
            try folder.add("1.wav", first),
            try folder.add("2.wav", ToneWave(level: -9, seconds: 4, album: "A", phase: frames)),
            try folder.add("3.wav", ToneWave(level: -17, seconds: 4, album: "A")),
        ]
        let album = try #require(try scan(paths)[paths[0]]?.album?.figures.integrated)
        let made = try MadeSound.make(
            paths.enumerated().map { item($1, $0, normalized(.album)) }, options: EncodingOptions(codec: .pcm))
        #expect(abs(try loudness(of: made) - -18) < 0.2)
        let difference = try loudness(of: [made[0]]) - loudness(of: [made[2]])
        #expect(abs(difference - 8) < 0.1)
        let gain = pow(10, (-18 - album) / 20)
        let joined = made[0].samples + made[1].samples
        for frame in frames - 100..<frames + 100 {
            let angle = 2 * Double.pi * ToneWave.hertz * Double(frame) / Double(ToneWave.rate)
            #expect(abs(joined[2 * frame] - gain * pow(10, -9.0 / 20) * sin(angle)) < 1e-4)
        }
    }

    @Test func offAndAGainOfNothingLeaveEveryBit() throws {
        let path = try folder.add("a.wav", ToneWave(level: -9, seconds: 2))
        try scan([path])
        let made = try MadeSound.make(
            [item(path, 0, normalized(.off)), item(path, 1, .gain(1))], options: EncodingOptions(codec: .pcm))
        let file = try Data(contentsOf: URL(filePath: path))
        for made in made { #expect(made.bytesPerSample == 2 && made.data == file.suffix(made.data.count)) }
        #expect(made[0].data.count == 2 * 48_000 * 4)
    }

    @Test func originalsThatAreMadeSofterTravelAsFLAC() throws {
        let path = try folder.add("a.wav", ToneWave(level: -9, seconds: 2))
        try scan([path])
        let made = try MadeSound.make(
            [item(path, 0, normalized(.track)), item(path, 1, normalized(.off))], options: .original)
        #expect(made[0].codecs == [.flac])
        #expect(made[1].codecs == [.pcm])
    }

    @Test func whatIsNotKnownIsFourDecibelsSofterAndWhatContinuesStaysAsItWas() throws {
        let path = try folder.add("a.wav", ToneWave(level: -9, seconds: 4))
        let options = try EncodingOptions(codec: .pcm)
        let unknown = try MadeSound.make([item(path, 0, normalized(.track))], options: options)
        #expect(abs(try loudness(of: unknown) - -13) < 0.2 && unknown[0].loudness == nil)
        try scan([path])
        let rest = try MadeSound.make([item(path, 0, .normalized(.track, .known(TrackLoudness())))], options: options)
        #expect(abs(try loudness(of: rest) - -13) < 0.2)
        let fresh = try MadeSound.make([item(path, 0, normalized(.track))], options: options)
        #expect(abs(try #require(fresh[0].loudness?.track?.integrated) - -9) < 0.1)
    }

    @Test func anotherGainInsideOfATrackComesInARamp() throws {
        let path = try folder.add("a.wav", ToneWave(level: -9, seconds: 3))
        try scan([path])
        let second = MediaTime(frame: 1, sampleRate: 1)
        let made = try MadeSound.make(
            [item(path, 0, .normalized(.track, .lookedUp(store.loudnessLookup), after: 1), from: second)],
            options: EncodingOptions(codec: .pcm))
        let samples = made[0].samples
        #expect(samples.count == 2 * 2 * ToneWave.rate)
        let original = pow(10, -9.0 / 20)
        func top(_ frames: Range<Int>) -> Double { frames.map { abs(samples[2 * $0]) }.max() ?? 0 }
        #expect(top(0..<48) > 0.97 * original)
        #expect(abs(top(2_500..<9_000) - original * pow(10, -9.0 / 20)) < 1e-3)
        // No two neighbours differ by more than the tone's own slope at its loudest, and a little for the ramp.
        let slope = original * 2 * .pi * ToneWave.hertz / Double(ToneWave.rate)
        #expect((1..<ToneWave.rate).allSatisfy { abs(samples[2 * $0] - samples[2 * $0 - 2]) < slope * 1.05 })
    }

    @Test func theTailOfATrackIsAsLoudAsTheRestOfIt() throws {
        let path = try folder.add("a.wav", ToneWave(level: -9, seconds: 8))
        try scan([path])
        let crossfade = MediaTime(frame: 3, sampleRate: 1)
        let first = ProducerItem(
            serial: 0, input: AssetInput(uri: path), start: .zero, offset: .zero, begin: .zero, rate: 1, head: nil,
            crossfade: crossfade, level: normalized(.track))
        let options = try EncodingOptions(codec: .pcm)
        let ending = try #require(try MadeSound.make([first], options: options)[0].ending)
        #expect(abs(20 * log10(Double(ending.gain)) - -9) < 0.1)
        let tail = try MadeSound.make([ProducerItem(ending, serial: 0)], options: options)
        #expect(abs(try loudness(of: tail) - -18) < 0.2 && tail[0].samples.count == 2 * 3 * ToneWave.rate)
    }
}
