import Foundation
import Testing
import TuttiCalibration
import TuttiCore
import TuttiSignal

@Suite struct OffsetStatisticsTests {
    private func row(_ count: Int, seed: UInt64 = 1, spread: Double = 0, _ offset: (Double) -> Double) -> [TimedOffset]
    {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let seconds = Double(index) / 10
            return TimedOffset(seconds: seconds, microseconds: offset(seconds) + spread * random.gaussian())
        }
    }

    @Test func theUncertaintiesOfMedianAndDriftAreTrue() {
        var (median, drift) = (0, 0)
        for seed in 1...60 as ClosedRange<UInt64> {
            let found = OffsetStatistics(row(300, seed: seed, spread: 2) { 40 + 0.3 * ($0 - 14.95) }, floor: 0)
            if abs(found.median.value - 40) <= 2 * found.median.uncertainty { median += 1 }
            if abs(found.drift.value - 0.3) <= 2 * found.drift.uncertainty { drift += 1 }
        }
        #expect(median >= 51, "\(median) of 60")
        #expect(drift >= 51, "\(drift) of 60")
    }

    @Test func percentilesHaveTheirErrors() {
        var inside = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            let found = OffsetStatistics(row(400, seed: seed, spread: 3) { _ in 0 }, floor: 0)
            // The 99th percentile of a normal distribution's magnitude.
            let truth = 2.576 * 3
            if abs(found.absolute.spread.p99 - truth) <= 2.5 * found.absolute.p99Uncertainty { inside += 1 }
        }
        #expect(inside >= 16, "\(inside) of 20")
    }

    @Test func aConstantIsExact() {
        let found = OffsetStatistics(row(100) { _ in -12.5 }, uncertainties: [0.5, 0.7, 0.6], floor: 0.02)
        #expect(found.median.value == -12.5 && abs(found.median.uncertainty - 0.02) < 1e-9)
        #expect(abs(found.drift.value) < 1e-12)
        #expect(found.aroundMedian.spread.max == 0 && found.absolute.spread.p99 == 12.5)
        #expect(found.single == 0.6 && found.repeatability == 0)
        #expect(found.intervals.map(\.seconds) == [1])
    }

    @Test func fewOffsetsSayThatTheyAreFew() {
        let none = OffsetStatistics([], floor: 0)
        #expect(none.median.value == 0 && none.median.uncertainty == .infinity)
        let two = OffsetStatistics(row(2) { _ in 1 }, floor: 0)
        #expect(two.median.uncertainty == .infinity && two.intervals.isEmpty)
        let five = OffsetStatistics(row(5, spread: 1) { _ in 1 }, floor: 0)
        #expect(five.median.uncertainty.isFinite)
    }

    @Test func swappedCablesCancelTheInputs() {
        let straight = OffsetStatistics(row(100) { _ in 30 + 4 }, floor: 0.03)
        let crossed = OffsetStatistics(row(100) { _ in -30 + 4 }, floor: 0.04)
        let pair = CableSwap(straight: straight, crossed: crossed)
        #expect(abs(pair.skew.value - 4) < 1e-9 && abs(pair.skew.uncertainty - 0.025) < 1e-9)
        #expect(abs(pair.statistics.median.value - 30) < 1e-9 && abs(pair.statistics.median.uncertainty - 0.025) < 1e-9)
        #expect(abs(pair.statistics.absolute.spread.p99 - 30) < 1e-9)
    }

    @Test func noiseForMeasuringIsPinkAndEven() {
        let samples = TestNoise.samples(seconds: 4)
        #expect(samples.count == 192_000 && samples == TestNoise.samples(seconds: 4))
        #expect(samples[0] == 0 && abs(samples[samples.count - 1]) < 1e-3)
        #expect(samples.allSatisfy { abs($0) <= 0.95 })
        let level = samples[...].rootMeanSquare
        #expect((0.05...0.15).contains(level), "\(level)")
        #expect(TestNoise.samples(seconds: 0).isEmpty && TestNoise.samples(seconds: -1).isEmpty)
    }
}
