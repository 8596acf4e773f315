import Foundation
import Testing
import TuttiSignal

@Suite("Average spectra")
struct AverageSpectrumTests {
    @Test("a full-scale sine is at 0 dB on its line, and what is not there is far below")
    func sine() {
        let rate = 48_000
        var spectrum = AverageSpectrum(sampleRate: rate)
        // On a line of the transform.
        let frequency = 341.0 * Double(rate) / 16_384
        for frame in 0..<6 * 16_384 {
            let sample = Float(sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            spectrum.add(sample, sample)
        }
        let level = spectrum.levels(at: [frequency], smoothedOver: 0)[0]
        #expect(abs(level) < 0.01, "\(level) dB")
        #expect(spectrum.levels(at: [8 * frequency])[0] < -90)
    }

    @Test("white noise is flat, and 20 dB softer noise 20 dB lower")
    func noise() {
        var state: UInt64 = 3
        var (loud, soft) = (AverageSpectrum(sampleRate: 48_000), AverageSpectrum(sampleRate: 48_000))
        for _ in 0..<40 * 16_384 {
            state = state &* 6_364_136_223_846_793_005 &+ 1
            let sample = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
            loud.add(sample, 0)
            soft.add(0, sample / 10)
        }
        let frequencies = [500.0, 1_000, 5_000, 15_000]
        let levels = loud.levels(at: frequencies)
        #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 2, "\(levels)")
        for (a, b) in zip(levels, soft.levels(at: frequencies)) { #expect(abs(a - b - 20) < 0.01) }
    }

    @Test("silence has no level")
    func silence() { #expect(AverageSpectrum(sampleRate: 8_000).levels(at: [100]) == [-200]) }
}
