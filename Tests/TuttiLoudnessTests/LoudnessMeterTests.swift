import Glibc
import Testing
import TuttiLoudness

/// The signals of EBU Tech 3341 and 3342, made here, with the tolerances that they state.
@Suite("Loudness") struct LoudnessMeterTests {
    /// Adds sines of 1 kHz, one after the other: for each its level in dBFS and its seconds; in all channels alike.
    private func add(
        _ tones: [(level: Double, seconds: Double)], to meter: LoudnessMeter
    ) throws {
        try add(
            tones.map { tone in ([Double](repeating: tone.level, count: meter.channelCount), tone.seconds) }, to: meter)
    }

    /// The same with a level for each channel.
    private func add(_ tones: [(levels: [Double], seconds: Double)], to meter: LoudnessMeter) throws {
        var frame = 0
        for tone in tones {
            let gains = tone.levels.map { pow(10, $0 / 20) }
            var remaining = Int((tone.seconds * Double(meter.sampleRate)).rounded())
            while remaining > 0 {
                let count = min(remaining, 4_800)
                var samples: [Float] = []
                for index in frame..<frame + count {
                    let wave = sin(2 * .pi * 1_000 * Double(index) / Double(meter.sampleRate))
                    samples += gains.map { Float($0 * wave) }
                }
                try meter.add(samples)
                frame += count
                remaining -= count
            }
        }
    }

    private func isNear(_ value: Double?, _ wanted: Double, within tolerance: Double = 0.1) -> Bool {
        value.map { abs($0 - wanted) <= tolerance } ?? false
    }

    @Test("Tech 3341, 1 and 2: a sine of 1 kHz", arguments: [-23.0, -33], [44_100, 48_000, 96_000, 192_000])
    func sines(level: Double, rate: Int) throws {
        let meter = try LoudnessMeter(channelCount: 2, sampleRate: rate)
        try add([(level, 20)], to: meter)
        #expect(isNear(meter.momentary, level))
        #expect(isNear(meter.shortTerm, level))
        #expect(isNear(meter.integrated, level))
        #expect(isNear(meter.truePeak, level, within: 0.2))
    }

    @Test("Tech 3341, 3 to 5: what is soft does not count")
    func gating() throws {
        let cases: [[(Double, Double)]] = [
            [(-36, 10), (-23, 60), (-36, 10)],
            [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)],
            [(-26, 20), (-20, 20.1), (-26, 20)],
        ]
        for tones in cases {
            let meter = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
            try add(tones.map { (level: $0.0, seconds: $0.1) }, to: meter)
            #expect(isNear(meter.integrated, -23), "\(tones)")
        }
    }

    @Test("Tech 3341, 6: five channels, and the sixth does not count")
    func surround() throws {
        let five = try LoudnessMeter(channelCount: 5, sampleRate: 48_000)
        try add([(levels: [-28, -28, -24, -30, -30], seconds: 20)], to: five)
        #expect(isNear(five.integrated, -23))
        let six = try LoudnessMeter(channelCount: 6, sampleRate: 48_000)
        try add([(levels: [-28, -28, -24, -6, -30, -30], seconds: 20)], to: six)
        #expect(isNear(six.integrated, -23))
        // 7.1: what stands at the sides counts 1.5 dB more, what stands behind does not.
        let eight = try LoudnessMeter(channelCount: 8, sampleRate: 48_000)
        try add([(levels: [-200, -200, -200, -200, -200, -200, -23, -23], seconds: 20)], to: eight)
        #expect(isNear(eight.integrated, -21.5))
        let back = try LoudnessMeter(channelCount: 8, sampleRate: 48_000)
        try add([(levels: [-200, -200, -200, -200, -23, -23, -200, -200], seconds: 20)], to: back)
        #expect(isNear(back.integrated, -23))
    }

    @Test("Tech 3341, 9 and 12: the windows of 3 s and 400 ms")
    func windows() throws {
        let short = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
        for round in 0..<5 {
            try add([(level: -20, seconds: 1.34), (level: -30, seconds: 1.66)], to: short)
            #expect(isNear(short.shortTerm, -23), "round \(round)")
        }
        let momentary = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
        for round in 0..<25 {
            try add([(level: -20, seconds: 0.18), (level: -30, seconds: 0.22)], to: momentary)
            if round > 2 { #expect(isNear(momentary.momentary, -23), "round \(round)") }
        }
    }

    @Test(
        "Tech 3341, 15 to 19: peaks between samples",
        arguments: [(4.0, 0.0, 0.5, -6.0), (4, 45, 0.5, -6), (6, 60, 0.5, -6), (8, 67.5, 0.5, -6), (4, 45, 1.41, 3)])
    func truePeaks(divisor: Double, phase: Double, gain: Double, wanted: Double) throws {
        let meter = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
        let samples = (0..<48_000).flatMap { frame -> [Float] in
            // Faded in and out, as in the set: an edge has overshoots of its own.
            let fade = min(1, Double(min(frame, 48_000 - frame)) / 4_800)
            let value = Float(fade * gain * sin(2 * .pi * Double(frame) / divisor + phase * .pi / 180))
            return [value, 0]
        }
        try meter.add(samples)
        let peak = try #require(meter.truePeak)
        #expect(peak <= wanted + 0.2 && peak >= wanted - 0.4, "\(peak) dBTP")
        #expect(meter.truePeak(of: 1) == nil)
        #expect(meter.truePeak(of: 2) == nil)
    }

    @Test("Tech 3342, 1 to 4: loudness range")
    func ranges() throws {
        let cases: [(levels: [Double], wanted: Double)] = [
            ([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
        ]
        for (levels, wanted) in cases {
            let meter = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
            try add(levels.map { (level: $0, seconds: 20) }, to: meter)
            #expect(isNear(meter.range, wanted, within: 1), "\(levels): \(meter.range)")
        }
    }

    @Test("an album is its tracks one after the other")
    func album() throws {
        let tracks = [(-26.0, 20.0), (-20, 20.1), (-26, 20)]
        let meters = try tracks.map { track in
            let meter = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
            try add([(level: track.0, seconds: track.1)], to: meter)
            return meter
        }
        #expect(isNear(LoudnessMeter.integrated(of: meters), -23))
        #expect(LoudnessMeter.range(of: meters) > 5)
        #expect(LoudnessMeter.integrated(of: []) == nil)
        let silent = try LoudnessMeter(channelCount: 2, sampleRate: 44_100)
        #expect(isNear(LoudnessMeter.integrated(of: meters + [silent]), -23))
    }

    @Test("silence has no loudness")
    func silence() throws {
        let meter = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
        #expect(meter.integrated == nil && meter.momentary == nil && meter.truePeak == nil && meter.range == 0)
        try meter.add([Float](repeating: 0, count: 480_000))
        #expect(meter.integrated == nil && meter.shortTerm == nil && meter.truePeak == nil && meter.range == 0)
    }

    @Test("a bad sample is refused and leaves the meter as it was", arguments: [Float.nan, .infinity, -1e30])
    func badSamples(value: Float) throws {
        let meter = try LoudnessMeter(channelCount: 2, sampleRate: 48_000)
        try add([(level: -23, seconds: 5)], to: meter)
        let before = meter.integrated
        #expect(throws: LoudnessError.badSample(index: 3)) { try meter.add([0.5, 0.5, 0.5, value]) }
        #expect(throws: LoudnessError.partialFrame(samples: 3, channelCount: 2)) { try meter.add([0, 0, 0]) }
        try meter.add([])
        #expect(meter.integrated == before && isNear(meter.truePeak, -23, within: 0.2))
        try add([(level: -23, seconds: 5)], to: meter)
        #expect(isNear(meter.momentary, -23))
    }

    @Test("other formats are refused")
    func formats() {
        for (channels, rate) in [(0, 48_000), (9, 48_000), (-1, 48_000), (2, 0), (2, 7_999), (2, Int.max)] {
            #expect(throws: LoudnessError.unsupportedFormat(channelCount: channels, sampleRate: rate)) {
                try LoudnessMeter(channelCount: channels, sampleRate: rate)
            }
        }
    }
}
