import Foundation
import Testing
import TuttiCore
import TuttiLab

@Suite("Measuring a tone")
struct AnalysisToneTests {
    /// A sine of amplitude 0.9 with a line, a phase modulation and even noise added, all known.
    private func tone(
        _ frequency: Double, rate: Double = 48_000, seconds: Double = 12, bend: (Double) -> Double = { _ in 0 },
        added: (Double) -> Double = { _ in 0 }
    ) -> [Float] {
        (0..<Int(seconds * rate)).map { index in
            let t = Double(index) / rate
            return Float(0.9 * sin(2 * .pi * frequency * (t + bend(t)) + 0.3) + added(t))
        }
    }

    private func measure(_ samples: [Float], _ frequency: Double, rate: Int = 48_000) throws -> ToneReport {
        var analysis = ToneAnalysis(frequency: frequency)
        analysis.skipped = (0.5, 0.5)
        return try analysis.report(samples, sampleRate: rate)
    }

    @Test("a clean sine is clean and its frequency exact", arguments: [997.08, 9_999.2, 10_000.8])
    func clean(frequency: Double) throws {
        let report = try measure(tone(frequency), frequency.rounded())
        #expect(report.sinad > 140)
        #expect(report.fitSinad > 140)
        #expect(abs(report.frequency - frequency) < 1e-6)
        #expect(abs(report.level - 20 * log10(0.9)) < 1e-4)
        #expect(report.wanderPeak < 0.05)
    }

    @Test("noise has the power that it has", arguments: [-60.0, -100])
    func noise(decibels: Double) throws {
        let scale = 0.9 / 2.squareRoot() * pow(10, decibels / 20) * 12.squareRoot()
        var dice = SplitMix64(seed: 1)
        let samples = tone(997, added: { _ in scale * (dice.unit() - 0.5) })
        let report = try measure(samples, 997)
        #expect(abs(report.fitSinad + decibels) < 0.05)
        // White noise has 20 of its 24 kHz in the band.
        #expect(abs(report.sinad + decibels - 10 * log10(24 / 19.97)) < 0.1)
    }

    @Test("harmonics are found")
    func distortion() throws {
        let report = try measure(tone(997, added: { 0.9e-4 * sin(2 * .pi * 2_991 * $0) }), 997)
        #expect(abs((report.distortion ?? 0) + 80) < 0.05)
        #expect(abs(report.sinad - 80) < 0.05)
        #expect(abs(report.strongestLine.frequency - 2_991) < 0.2)
        #expect(abs(report.strongestLine.decibels + 80) < 0.6)
    }

    @Test("a phase modulation of 1 ns at 50 Hz gives side-bands of −90 dB at 10 kHz")
    func modulation() throws {
        let report = try measure(tone(10_000, bend: { 1e-9 * sin(2 * .pi * 50 * $0) }), 10_000)
        let expected = 20 * log10(.pi * 10_000 * 1e-9)
        #expect(abs(report.strongestSideBand.decibels - expected) < 0.6)
        #expect(abs(abs(report.strongestSideBand.frequency - 10_000) - 50) < 0.2)
        #expect(abs(report.sinad + expected + 10 * log10(2)) < 0.1)
    }

    @Test("slow wander is the fit's and the wander's, not the side-bands'")
    func wander() throws {
        let report = try measure(tone(10_000, bend: { 100e-9 * sin(2 * .pi * 0.5 * $0) }), 10_000)
        #expect(report.sinad > 130)
        #expect(report.fitSinad < 60)
        #expect(abs(report.wanderRMS - 70.7) < 5)
    }

    @Test("a recording without the tone is refused")
    func refusals() {
        let analysis = ToneAnalysis(frequency: 997)
        #expect(throws: ToneAnalysis.Failure.noTone(frequency: 997)) {
            try analysis.report([Float](repeating: 0, count: 480_000), sampleRate: 48_000)
        }
        #expect(throws: ToneAnalysis.Failure.noTone(frequency: 997)) {
            try analysis.report(tone(3_000, seconds: 20), sampleRate: 48_000)
        }
        #expect(throws: ToneAnalysis.Failure.self) { try analysis.report(tone(997, seconds: 5.2), sampleRate: 48_000) }
    }
}
