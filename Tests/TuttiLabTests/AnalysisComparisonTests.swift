import Foundation
import Testing
import TuttiLab

/// Rooms made by formula: what each card records is known exactly, so the analysis can be held to it.
@Suite("Rooms compared")
struct AnalysisComparisonTests {
    private static let signal = KnownSignal()
    private static let seconds = 3.0

    /// The song: silence beyond its ends, which are soft for 5 ms.
    private static func song(_ time: Double) -> Float {
        guard time >= 0, time < seconds else { return 0 }
        return signal(time) * Float(min(1, time / 0.005, (seconds - time) / 0.005))
    }

    private static func source(rate: Int) -> WaveFile {
        let samples = (0..<Int(seconds * Double(rate))).map { song(Double($0) / Double(rate)) }
        return WaveFile(sampleRate: rate, channels: [samples, samples])
    }

    /// A card whose run began `start` ns into the axis and which plays the song so that media 0 leaves `delay` s after
    /// the axis began.
    private static func card(
        _ name: String, rate: Double, ppm: Double, start: Int64, delay: Double,
        change: (Double, Float) -> Float = { $1 }
    ) throws -> CardRecording {
        let trueRate = rate * (1 + ppm * 1e-6)
        let frames = Int((seconds + 0.7) * rate)
        let samples = (0..<frames).map { frame -> Float in
            let media = Double(start) / 1e9 + Double(frame) / trueRate - delay
            return change(media, song(media))
        }
        let log = """
            {"run":1,"t0_raw_ns":\(5_000_000_000 + start),"rate":\(Int(rate)),"ppm":\(ppm),"first_frame":0,"frames":\(frames)}
            """
        let truth = try TruthLog(parsing: Data(log.utf8), path: "log")
        return CardRecording(
            name: name, truth: truth, recording: WaveFile(sampleRate: Int(rate), channels: [samples, samples]))
    }

    @Test("offsets of cards at other rates and ppm are right to 0.05 µs, the song is whole")
    func offsets() throws {
        let cards = [
            try Self.card("a", rate: 48000, ppm: 0, start: 0, delay: 0.5),
            try Self.card("b", rate: 48000, ppm: 80, start: 1_234_567, delay: 0.5 + 37.3e-6),
            try Self.card("c", rate: 44100, ppm: -60, start: 777_777, delay: 0.5 - 212.9e-6),
        ]
        let report = Comparison(source: Self.source(rate: 44100), cards: cards, commandTime: 5_400_000_000).report()
        let expected = [37.3, -212.9, -250.2]
        for (pair, offset) in zip(report.pairs, expected) {
            #expect(pair.offsets.count > 25)
            #expect(pair.offsets.allSatisfy { abs($0.microseconds - offset) < 0.05 }, "\(pair.first) – \(pair.second)")
            #expect(abs((pair.firstOffset ?? 0) - offset) < 0.05)
        }
        for room in report.rooms {
            #expect(room.completeness > 99.7)
            #expect(room.gaps.isEmpty)
            #expect(room.clicks.isEmpty)
            #expect(room.jumps == 0)
            #expect((room.contentDecibels ?? 0) > 75)
            #expect(abs(room.ratePpm ?? 99) < 0.05)
            #expect(abs((room.commandToSoundMilliseconds ?? 0) - 100) < 1.5)
        }
        let zero = try #require(report.rooms.first?.mediaZeroRawNanoseconds)
        #expect(abs(zero - 5_500_000_000) < 1000)
        #expect(report.all.max < 250.6)
        #expect(report.table.split(separator: "\n").count == 9)
        #expect(report.plot.contains("<polyline"))
    }

    @Test("silences, clicks, jumps and a missing end are found where they are")
    func faults() throws {
        let healthy = try Self.card("a", rate: 48000, ppm: 0, start: 0, delay: 0.5)
        let faulty = try Self.card("b", rate: 48000, ppm: 20, start: 0, delay: 0.5) { media, value in
            if media > 1, media < 1.05 { return 0 }
            if media > 2.6 { return 0 }
            return abs(media - 2) < 1.0e-5 ? value + 0.4 : value
        }
        let early = try Self.card("c", rate: 48000, ppm: 0, start: 0, delay: 0.5) { media, value in
            media > 1.5 ? Self.song(media + 0.02) : value
        }
        let report = Comparison(source: Self.source(rate: 48000), cards: [healthy, faulty, early]).report()
        let room = report.rooms[1]
        #expect(abs(room.gapMilliseconds - 50) <= 6)
        #expect(room.gaps.contains { abs($0.mediaSeconds - 1) < 0.005 })
        // The disturbed sample, and the cut that ends the music.
        #expect(room.clicks.count == 2)
        #expect(zip(room.clicks, [2, 2.6]).allSatisfy { abs($0 - $1) < 0.001 })
        // 3 s of which 50 ms and the last 0.4 s are missing.
        #expect(abs(room.completeness - 100 * 2.55 / 3) < 0.6)
        #expect(report.rooms[0].completeness > 99.7)
        #expect(report.rooms[2].jumps >= 1)
        #expect(report.pairs[1].whole.max > 19_000)
        #expect(report.pairs[1].whole.median < 20_001)
    }

    @Test("a cut that rooms make together is no offset, whichever side of it a window likes better; a late one is")
    func cuts() throws {
        for share in stride(from: 0.0, to: 0.1, by: 0.02) {
            let cut = 1.5 + share
            let turn: @Sendable (Double, Float) -> Float = { $0 > cut ? Self.song($0 + 0.7) : $1 }
            let late: @Sendable (Double, Float) -> Float = { $0 > cut + 0.3 ? Self.song($0 + 0.7) : $1 }
            // One fades out towards the cut, the other is quiet after it: they take different sides.
            let cards = [
                try Self.card("a", rate: 48000, ppm: 0, start: 0, delay: 0.4) { turn($0, $1) * ($0 > cut ? 1 : 0.6) },
                try Self.card("b", rate: 48000, ppm: 0, start: 0, delay: 0.4) { turn($0, $1) * ($0 > cut ? 0.6 : 1) },
                try Self.card("c", rate: 48000, ppm: 0, start: 0, delay: 0.4, change: late),
            ]
            let report = Comparison(source: Self.source(rate: 48000), cards: cards).report()
            #expect(report.pairs[0].whole.max < 10, "cut at \(cut) s: \(report.table)")
            #expect(report.pairs[0].whole.count > 20)
            #expect(report.pairs[1].whole.max > 690_000, "cut at \(cut) s: \(report.table)")
        }
    }

    @Test("quieter by 30 dB and louder in one room is the same song")
    func gain() throws {
        let cards = [
            try Self.card("a", rate: 48000, ppm: 0, start: 0, delay: 0.4) { $1 * 0.03 },
            try Self.card("b", rate: 96000, ppm: 0, start: 0, delay: 0.4),
        ]
        let report = Comparison(source: Self.source(rate: 48000), cards: cards).report()
        #expect(report.all.max < 0.3)
        #expect(report.rooms.allSatisfy { $0.completeness > 99.7 && $0.gaps.isEmpty })
    }

    @Test("a silent room and a stranger's recording are no music, and nothing traps")
    func nothing() throws {
        let cards = [
            try Self.card("a", rate: 48000, ppm: 0, start: 0, delay: 0.4) { _, _ in 0 },
            try Self.card("b", rate: 48000, ppm: 0, start: 0, delay: 0.4) { media, _ in
                Float(sin(media * 4000) * 0.1)
            },
        ]
        let report = Comparison(source: Self.source(rate: 48000), cards: cards).report()
        #expect(report.rooms[0].firstSoundRawNanoseconds == nil)
        #expect(report.rooms[0].completeness == 0)
        #expect(report.rooms[1].completeness < 20)
        #expect(report.all.count == 0)
    }
}
