import Foundation
import Testing
import TuttiLab

/// Rooms made by formula that obey commands at known instants.
@Suite("Commands judged")
struct SteeringAnalysisTests {
    private static let rate = 48_000
    private static let song: WaveFile = {
        let left = Piece(seconds: 40, sampleRate: rate).render().channels[0]
        return WaveFile(sampleRate: rate, channels: [left, left])
    }()
    private static let origin: Int64 = 5_000_000_000

    /// A stretch that a room plays from `start` s on: which place of the song at `start`, how loud; nothing when
    /// silent.
    private struct Stretch {
        var start: Double
        var media: Double?
        var gain: Float = 1
    }

    /// What a card that runs true records of these stretches, with ramps of `ramp` s between them.
    private static func card(_ name: String, late: Double, _ stretches: [Stretch], ramp: Double = 0.008) throws
        -> CardRecording
    {
        let frames = 16 * rate
        var samples = [Float](repeating: 0, count: frames)
        for (index, stretch) in stretches.enumerated() {
            guard let media = stretch.media else { continue }
            let begin = stretch.start + late
            let end = index + 1 < stretches.count ? stretches[index + 1].start + late : 20
            for frame in max(0, Int(begin * Double(rate)))..<min(frames, Int((end + ramp) * Double(rate)) + 1) {
                let time = Double(frame) / Double(rate)
                let place = (time - begin + media) * Double(rate)
                guard place >= 0, place < Double(song.frameCount - 2) else { continue }
                let up = ramp > 0 ? min(1, max(0, (time - begin) / ramp)) : time >= begin ? 1 : 0
                let down = ramp > 0 ? min(1, max(0, (end + ramp - time) / ramp)) : time < end ? 1 : 0
                let (whole, rest) = (Int(place), Float(place - place.rounded(.down)))
                let value = song.channels[0][whole] * (1 - rest) + song.channels[0][whole + 1] * rest
                samples[frame] += value * stretch.gain * Float(up * down)
            }
        }
        let log = """
            {"run":1,"t0_raw_ns":\(origin),"rate":\(rate),"ppm":0,"first_frame":0,"frames":\(frames)}
            """
        return CardRecording(
            name: name, truth: try TruthLog(parsing: Data(log.utf8), path: "log"),
            recording: WaveFile(sampleRate: rate, channels: [samples, samples]))
    }

    private static func command(_ kind: SteeringKind, _ seconds: Double, target: Double? = nil) -> SteeringStep.Record {
        SteeringStep.Record(kind, .program, rawNanoseconds: origin + Int64(seconds * 1e9), target: target)
    }

    /// Pause at 2.06, on at 4.07, half the volume at 6.05, silence at 8.055, sound at 10.06, elsewhere at 12.09 after a
    /// silence of 0.1 s, at the beginning of the song at 14.15 after another, each some time after its command.
    private static let stretches = [
        Stretch(start: 0.2, media: 0), Stretch(start: 2.06, media: nil), Stretch(start: 4.07, media: 1.86),
        Stretch(start: 6.05, media: 3.84, gain: 0.5), Stretch(start: 8.055, media: nil),
        Stretch(start: 10.06, media: 7.85, gain: 0.5), Stretch(start: 12.09, media: nil),
        Stretch(start: 12.19, media: 25, gain: 0.5), Stretch(start: 14.05, media: nil),
        Stretch(start: 14.15, media: 0, gain: 0.5),
    ]
    private static let commands = [
        command(.pause, 2), command(.resume, 4), command(.volume, 6), command(.mute, 8), command(.unmute, 10),
        command(.seekOutside, 12, target: 25), command(.previous, 14, target: 0),
    ]

    private func figures(ramp: Double = 0.008, late: Double = 2.0 / 48_000) throws -> SteeringFigures {
        let cards = [
            try Self.card("a", late: 0, Self.stretches, ramp: ramp),
            try Self.card("b", late: late, Self.stretches, ramp: ramp),
        ]
        return SteeringAnalysis(source: Self.song, cards: cards).figures(of: Self.commands)
    }

    @Test("each command's way to the ear is found to some milliseconds, and how far rooms are apart")
    func times() throws {
        let figures = try figures()
        for (effect, expected) in zip(figures.effects, [60.0, 70, 50, 55, 60, 190, 150]) {
            let heard = try #require(effect.heard(in: 2), "\(effect)")
            #expect((expected - 2...expected + 7).contains(heard), "\(effect)")
        }
        let change = try #require(figures.effects[5].changedMilliseconds["a"])
        #expect((89.0...94).contains(change))
        let apart = try #require(figures.apart())
        #expect(apart.count > 40 && abs(apart.median - 41.67) < 0.1 && apart.p99 < 43, "\(apart)")
        #expect(figures.apart(.pause) == nil)
        #expect(figures.clicks == 0)
    }

    @Test("cuts without a ramp are clicks, but for those that happen to meet a quiet sample")
    func clicks() throws {
        let figures = try figures(ramp: 0)
        #expect(figures.effects.count { $0.clicks > 0 } >= 3, "\(figures.effects.map(\.clicks))")
    }

    @Test("a room that does not obey is not heard to")
    func deaf() throws {
        let cards = [
            try Self.card("a", late: 0, Self.stretches), try Self.card("b", late: 0, Array(Self.stretches.prefix(1))),
        ]
        let figures = SteeringAnalysis(source: Self.song, cards: cards).figures(of: Self.commands)
        #expect(figures.effects[0].heardMilliseconds["b"] == nil && figures.effects[0].heardMilliseconds["a"] != nil)
        #expect(figures.heard(.pause, .program) == [10_000])
        #expect(figures.heard(.pause, .socket).isEmpty)
    }

    @Test("marks hold commands to the slowest time, and older results have none")
    func marks() throws {
        var result = BenchResult(name: "commands", system: "tutti", seed: 1)
        #expect(BenchMark(.command(.pause), 100).value(of: result) == nil)
        result.steering = try figures()
        #expect((58...67).contains(try #require(BenchMark(.command(.pause), 100).value(of: result))))
        #expect(BenchMark(.commandClicks, 0).value(of: result) == 0)
        #expect(abs(try #require(BenchMark(.apart, 20).value(of: result)) - 41.67) < 1)
        #expect(BenchReport(results: [result]).markdown.contains("| `commands` | pause | ≤ 100 | yes |"))
    }
}
