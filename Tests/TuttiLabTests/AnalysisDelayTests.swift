import Foundation
import Testing
import TuttiLab
import TuttiSignal

/// Signals whose delays are known exactly: sums of sines, evaluated at any time.
struct KnownSignal {
    private var parts: [(frequency: Double, phase: Double, level: Double)] = []

    /// Music-like: partials of falling level from 80 Hz to 9 kHz, deterministic.
    init(seed: UInt64 = 1) {
        var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        func unit() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(UInt32(1) << 31)
        }
        for index in 0..<24 {
            let frequency = 80 * pow(9000 / 80, Double(index) / 23) * (1 + 0.02 * unit())
            parts.append((frequency, 2 * .pi * unit(), 0.05 / (1 + frequency / 500)))
        }
    }

    func callAsFunction(_ seconds: Double) -> Float {
        Float(parts.reduce(0) { $0 + $1.level * sin(2 * .pi * $1.frequency * seconds + $1.phase) })
    }

    func samples(_ count: Int, from seconds: Double = 0, rate: Double = 48000) -> [Float] {
        (0..<count).map { self(seconds + Double($0) / rate) }
    }
}

@Suite("Delay between recordings")
struct AnalysisDelayTests {
    /// The error bound: 0.05 µs at 48 kHz.
    static let bound = 0.05e-6 * 48000

    @Test("known fractional delays are found", arguments: [0.0, 0.1, 0.25, 0.5, -0.5, 0.999, 3.37, -17.81, 40.123])
    func fractions(delay: Double) throws {
        let signal = KnownSignal()
        let estimator = DelayEstimator(size: 8192, sampleRate: 48000)
        let first = signal.samples(8192)
        let second = signal.samples(8192, from: -delay / 48000)
        let found = try #require(estimator.delay(of: second[...], behind: first[...], limit: 192))
        #expect(abs(found.samples - delay) < max(Self.bound, abs(delay) * 2e-4))
        #expect(found.likeness > 0.9)
    }

    @Test("noise 40 dB below costs less than a microsecond")
    func noisy() throws {
        let signal = KnownSignal()
        let estimator = DelayEstimator(size: 8192, sampleRate: 48000)
        var state: UInt64 = 4711
        func noise() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648 * 0.0015
        }
        for step in 0..<10 {
            let delay = Double(step) * 0.093
            let first = signal.samples(8192, from: Double(step)).map { $0 + noise() }
            let second = signal.samples(8192, from: Double(step) - delay / 48000).map { $0 + noise() }
            let found = try #require(estimator.delay(of: second[...], behind: first[...], limit: 20))
            #expect(abs(found.samples - delay) / 48000 < 1e-6)
        }
    }

    @Test("strangers are not alike, silence has no delay")
    func strangers() throws {
        let estimator = DelayEstimator(size: 8192, sampleRate: 48000)
        let first = KnownSignal(seed: 1).samples(8192)
        let second = KnownSignal(seed: 99).samples(8192)
        let found = try #require(estimator.delay(of: second[...], behind: first[...], limit: 192))
        #expect(found.likeness < 0.5)
        let silence = [Float](repeating: 0, count: 8192)
        #expect(estimator.delay(of: silence[...], behind: first[...], limit: 192) == nil)
    }

    @Test(
        "interpolation follows the signal between samples, up and down in rate",
        arguments: [0.5, 0.91875, 1, 1.00008, 2])
    func interpolation(step: Double) {
        let signal = KnownSignal()
        let input = signal.samples(20000)
        let output = SincInterpolator(ratio: step).samples(of: input, start: 5000.3, step: step, count: 4000)
        let worst = output.indices.map { abs(output[$0] - signal((5000.3 + Double($0) * step) / 48000)) }.max() ?? 1
        #expect(worst < 2e-5)
    }

    @Test("a transform and its inverse give the signal back, and a sine has one line")
    func transform() {
        let transform = FourierTransform(atLeast: 1000)
        #expect(transform.size == 1024)
        let signal = (0..<1024).map { cos(2 * .pi * 37 * Double($0) / 1024) }
        var (real, imaginary) = (signal, [Double](repeating: 0, count: 1024))
        transform.forward(&real, &imaginary)
        #expect(abs(real[37] - 512) < 1e-9)
        #expect(abs(real[36]) < 1e-9)
        transform.inverse(&real, &imaginary)
        #expect(zip(real, signal).allSatisfy { abs($0 - $1) < 1e-12 })
    }
}
