import Foundation
import Testing
import TuttiStretch

@Suite("Stretched sound") struct TimeStretcherTests {
    private static let rates = [0.5, 0.75, 0.9, 1.1, 1.25, 1.5, 1.75, 2.0]

    /// `seconds` of a mono function of time, on both channels.
    private func sound(_ seconds: Double, rate: Int, _ value: (Double) -> Double) -> [Float] {
        (0..<Int(seconds * Double(rate))).flatMap { frame -> [Float] in
            let sample = Float(value(Double(frame) / Double(rate)))
            return [sample, sample]
        }
    }

    private func stretched(_ samples: [Float], by rate: Double, sampleRate: Int, block: Int = 8192) throws -> [Float] {
        let stretcher = try TimeStretcher(rate: rate, sampleRate: sampleRate)
        var output: [Float] = []
        for start in stride(from: 0, to: samples.count, by: 2 * block) {
            output += try stretcher.process(Array(samples[start..<min(start + 2 * block, samples.count)]))
        }
        output += try stretcher.finish()
        #expect(output.count == 2 * stretcher.frames(of: samples.count / 2))
        return output
    }

    private func left(_ samples: [Float]) -> [Double] {
        stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) }
    }

    /// The frequency between the first and the last rise through zero.
    private func pitch(_ samples: ArraySlice<Double>, sampleRate: Int) -> Double {
        var rises: [Double] = []
        for index in samples.indices.dropLast() where samples[index] < 0 && samples[index + 1] >= 0 {
            rises.append(Double(index) + samples[index] / (samples[index] - samples[index + 1]))
        }
        guard let first = rises.first, let last = rises.last, last > first else { return 0 }
        return Double(rises.count - 1) / (last - first) * Double(sampleRate)
    }

    /// The largest second difference: how hard the hardest corner is.
    private func corner(_ samples: ArraySlice<Double>) -> Double {
        samples.indices.dropFirst().dropLast().map { abs(samples[$0 + 1] - 2 * samples[$0] + samples[$0 - 1]) }.max()
            ?? 0
    }

    @Test("a sine keeps its pitch, its level and has no corners", arguments: rates)
    func sine(rate: Double) throws {
        for (frequency, sampleRate) in [(110.0, 48_000), (440, 44_100), (1_000, 48_000), (3_000, 96_000)] {
            let samples = sound(6, rate: sampleRate) { 0.5 * sin(2 * .pi * frequency * $0) }
            let output = left(try stretched(samples, by: rate, sampleRate: sampleRate))
            let middle = output[sampleRate / 4..<output.count - sampleRate / 4]
            #expect(abs(pitch(middle, sampleRate: sampleRate) / frequency - 1) < 0.005, "\(frequency) Hz at \(rate)")
            let step = 2 * .pi * frequency / Double(sampleRate)
            #expect(corner(middle) < 2.5 * 0.5 * step * step + 4.0 / 32_768, "\(frequency) Hz at \(rate)")
            for start in stride(from: middle.startIndex, to: middle.endIndex - sampleRate / 50, by: sampleRate / 50) {
                let peak = middle[start..<start + sampleRate / 50].map(abs).max() ?? 0
                #expect(abs(peak - 0.5) < 0.02, "\(frequency) Hz at \(rate)")
            }
        }
    }

    /// Something like a voice: a buzz of gliding pitch through two resonances, in syllables.
    private func voice(_ seconds: Double, sampleRate: Int) -> [Float] {
        var phase = 0.0
        return sound(seconds, rate: sampleRate) { time in
            let pitch = 120 + 30 * sin(2 * .pi * 0.7 * time)
            phase += pitch / Double(sampleRate)
            let buzz = (1...24).reduce(0.0) { sum, harmonic in
                let frequency = pitch * Double(harmonic)
                let shape = 1 / (1 + pow((frequency - 600) / 200, 2)) + 0.5 / (1 + pow((frequency - 1_700) / 300, 2))
                return sum + shape * sin(2 * .pi * phase * Double(harmonic))
            }
            return 0.12 * buzz * max(0, sin(2 * .pi * 2 * time))
        }
    }

    /// When the syllables begin: where 20 ms are loud after 20 ms that were not.
    private func syllables(_ samples: [Double], sampleRate: Int) -> [Double] {
        var found: [Double] = []
        var wasLoud = false
        for start in stride(from: 0, to: samples.count - sampleRate / 50, by: sampleRate / 400) {
            let isLoud = (samples[start..<start + sampleRate / 50].map(abs).max() ?? 0) > 0.1
            if isLoud, !wasLoud { found.append(Double(start) / Double(sampleRate)) }
            wasLoud = isLoud
        }
        return found
    }

    @Test("each syllable of a voice comes when it should, and none clicks", arguments: rates)
    func speech(rate: Double) throws {
        let samples = voice(20, sampleRate: 24_000)
        let output = left(try stretched(samples, by: rate, sampleRate: 24_000))
        let (before, after) = (syllables(left(samples), sampleRate: 24_000), syllables(output, sampleRate: 24_000))
        try #require(before.count == after.count && before.count >= 38, "\(before.count), \(after.count) at \(rate)")
        for (one, other) in zip(before, after) {
            #expect(abs(other * rate - one) < 0.03 * max(rate, 1), "\(one) s at \(rate)")
        }
        #expect(corner(output[...]) < 1.7 * corner(left(samples)[...]), "at \(rate)")
    }

    @Test("an hour's worth of rounding does not add up", arguments: [0.7, 1.75])
    func drift(rate: Double) throws {
        let sampleRate = 8_000
        let stretcher = try TimeStretcher(rate: rate, sampleRate: sampleRate)
        let second = sound(1, rate: sampleRate) { 0.5 * sin(2 * .pi * 400 * $0) }
        var frames = 0
        for count in 1...600 {
            frames += try stretcher.process(second).count / 2
            let behind = Double(count) - Double(frames) * rate / Double(sampleRate)
            #expect((-0.03...0.09).contains(behind), "\(behind) s behind after \(count) s at \(rate)")
        }
    }

    @Test("short sounds and none have their length too", arguments: [0, 1, 100, 2_000])
    func short(frames: Int) throws {
        let samples = [Float](repeating: 0.25, count: 2 * frames)
        for rate in [0.5, 1.3, 2] {
            #expect(
                try stretched(samples, by: rate, sampleRate: 48_000).count == 2 * Int((Double(frames) / rate).rounded())
            )
        }
    }

    @Test("what is too loud or no number does not wrap around")
    func unsound() throws {
        let samples: [Float] = (0..<48_000).flatMap { _ in [2, -2] } + [.nan, .infinity, -.infinity, 1e30]
        let output = try stretched(samples, by: 1.5, sampleRate: 48_000)
        #expect(
            output[..<40_000].enumerated().allSatisfy { $0.offset % 2 == 0 ? $0.element > 0.99 : $0.element < -0.99 })
    }

    @Test("rates that there are not", arguments: [0, -1, 0.49, 2.01, .nan, .infinity])
    func badRates(rate: Double) {
        #expect(throws: StretchError.self) { try TimeStretcher(rate: rate, sampleRate: 48_000) }
        #expect(throws: StretchError.badSampleRate(0)) { try TimeStretcher(rate: 1.5, sampleRate: 0) }
    }
}
