import Foundation
import Testing
import TuttiLab
import TuttiSignal

/// What the comparison shows of rooms that are apart by a known time: the floor below which it can tell nothing.
@Suite("The measurement's floor")
struct AnalysisFloorTests {
    private static let seconds = 12.0

    /// The lab's own piece on a card, `delay` seconds after the axis began, rounded to 16 bits. A transform's phases
    /// move it, so that the analysis' own interpolation has no part in it.
    private static func card(_ name: String, _ piece: [Float], delay: Double) throws -> CardRecording {
        let transform = FourierTransform(atLeast: piece.count + 96000)
        var real = piece.map(Double.init) + [Double](repeating: 0, count: transform.size - piece.count)
        var imaginary = [Double](repeating: 0, count: transform.size)
        transform.forward(&real, &imaginary)
        for k in 0..<transform.size {
            let signed = k <= transform.size / 2 ? k : k - transform.size
            let angle = -2 * .pi * Double(signed) / Double(transform.size) * delay * 48000
            let (c, s) = (cos(angle), sin(angle))
            (real[k], imaginary[k]) = (real[k] * c - imaginary[k] * s, real[k] * s + imaginary[k] * c)
        }
        transform.inverse(&real, &imaginary)
        let samples = real.map { Float(($0 * 32768).rounded() / 32768) }
        let log = #"{"run":1,"t0_raw_ns":5000000000,"rate":48000,"ppm":0,"first_frame":0,"frames":\#(samples.count)}"#
        let truth = try TruthLog(parsing: Data(log.utf8), path: "log")
        return CardRecording(
            name: name, truth: truth, recording: WaveFile(sampleRate: 48000, channels: [samples, samples]))
    }

    @Test("known fractions of a sample are found to 0.05 µs in music of 16 bits, from the first 100 ms on")
    func floor() throws {
        let piece = Piece(seconds: Self.seconds, sampleRate: 48000).render()
        let mono = piece.channels[0].map { $0 * 0.5 }
        let delays = [0.5, 0.5 + 3.7e-6, 0.5 - 14.2e-6]
        let cards = try zip(["a", "b", "c"], delays).map { try Self.card($0, mono, delay: $1) }
        let source = WaveFile(sampleRate: 48000, channels: [mono, mono])
        let report = Comparison(source: source, cards: cards + [cards[0]]).report()
        let expected = [3.7, -14.2, 0, -17.9, -3.7, 14.2]
        var errors: [(seconds: Double, microseconds: Double)] = []
        for (pair, offset) in zip(report.pairs, expected) {
            #expect(pair.offsets.count > 100)
            errors += pair.offsets.map { ($0.seconds, $0.microseconds - offset) }
            #expect(abs((pair.firstOffset ?? 99) - offset) < 0.05)
        }
        // Where the song's end fades away, the rounding to 16 bits is all that is left.
        let music = ComparisonReport.Spread(errors.filter { $0.seconds < Self.seconds - 1.4 }.map(\.microseconds))
        let all = ComparisonReport.Spread(errors.map(\.microseconds))
        #expect(music.max < 0.05)
        #expect(all.max < 0.5)
    }

    @Test("windows are brief for a second after each beginning, and then 100 ms apart")
    func windows() {
        let windows = MeasurementWindow.schedule(beginnings: [1000, 1003, 100_000], end: 200_000)
        #expect(windows.first == MeasurementWindow(start: 1000, size: MeasurementWindow.brief))
        #expect(windows.filter { $0.size == MeasurementWindow.brief }.count == 20)
        #expect(windows.contains(MeasurementWindow(start: 100_000, size: MeasurementWindow.brief)))
        #expect(zip(windows, windows.dropFirst()).allSatisfy { (1...4800).contains($1.start - $0.start) })
        #expect(windows.allSatisfy { $0.range.upperBound <= 200_000 })
        #expect(MeasurementWindow.schedule(beginnings: [], end: 9).isEmpty)
    }

    @Test("a recording is cut at a moment without moving what follows")
    func cropping() throws {
        let mono = (0..<48000).map { Float($0) / 48000 }
        let log = """
            {"run":1,"t0_raw_ns":1000000000,"rate":48000,"ppm":50,"first_frame":0,"frames":24000}
            {"event":"xrun","raw_ns":1500000000,"run":1}
            {"run":2,"t0_raw_ns":2000000000,"rate":48000,"ppm":50,"first_frame":24000,"frames":24000}
            """
        let card = CardRecording(
            name: "a", truth: try TruthLog(parsing: Data(log.utf8), path: "log"),
            recording: WaveFile(sampleRate: 48000, channels: [mono]))
        let late = card.cropped(from: 2_100_000_000)
        #expect(late.truth.runs.count == 1 && late.recordings.count == 1 && late.truth.underruns == 0)
        let run = try #require(late.truth.runs.first)
        #expect(run.firstFrame == 24000 + 4801 && run.frames == 24000 - 4801)
        #expect(abs(Double(run.end - card.truth.runs[1].end)) <= 1)
        #expect(card.cropped(from: 0).truth.runs == card.truth.runs)
        #expect(card.cropped(from: 1_200_000_000).truth.runs.count == 2)
        #expect(card.cropped(from: 9_000_000_000).truth.runs.isEmpty)
    }
}
