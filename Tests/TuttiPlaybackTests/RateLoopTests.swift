import Foundation
import Testing
import TuttiCore
import TuttiPlayback

@Suite("Rate loop and timebase")
struct RateLoopTests {
    private func settled() -> RateLoop {
        var loop = RateLoop(nominalRatio: 1)
        for _ in 0..<300 { _ = loop.update(errorNanoseconds: 0, feedForward: 1, periodNanoseconds: 1e7) }
        return loop
    }

    @Test func anErrorFallsByItsTimeConstantAndTheLoopLocks() {
        var loop = RateLoop(nominalRatio: 0.91875)
        var error = 100_000.0
        for _ in 0..<100 {
            let step = loop.update(errorNanoseconds: error, feedForward: 0.91875, periodNanoseconds: 1e7)
            #expect(step.action == .slew)
            error += (step.ratio / 0.91875 - 1) * 1e7
        }
        // Its time constant is 0.7 s; the low-pass keeps the correction of the beginning for a little longer.
        #expect(abs(error - 18_400) < 1_000)
        for _ in 0..<400 {
            error +=
                (loop.update(errorNanoseconds: error, feedForward: 0.91875, periodNanoseconds: 1e7).ratio / 0.91875 - 1)
                * 1e7
        }
        #expect(loop.isLocked && abs(error) < 3_000)
    }

    @Test func aLockedLoopFollowsABetterKnowledgeAtOnceAndNoiseSlowly() {
        func left(of first: Double, after seconds: Double) -> Double {
            var loop = settled()
            var error = first
            for _ in 0..<Int(seconds * 100) {
                error += (loop.update(errorNanoseconds: error, feedForward: 1, periodNanoseconds: 1e7).ratio - 1) * 1e7
            }
            return error / first
        }
        #expect(left(of: 13_000, after: 1.5) < 0.15)
        #expect(left(of: 1_000, after: 1) > 0.5 && abs(left(of: 1_000, after: 8)) < 0.02)
    }

    @Test func limitsOfEachStage() {
        var fresh = RateLoop(nominalRatio: 1)
        var locked = settled()
        #expect(locked.isLocked && !fresh.isLocked)
        let late = fresh.update(errorNanoseconds: -2e6, feedForward: 1, periodNanoseconds: 1e7).ratio
        #expect(abs(late - 1.0003) < 1e-9)
        var early = 1.0
        for _ in 0..<800 {
            early = locked.update(errorNanoseconds: 400_000, feedForward: 1, periodNanoseconds: 1e7).ratio
        }
        #expect(abs(early - 0.9999) < 1e-9)
        fresh.restart()
        let wild = fresh.update(errorNanoseconds: -2e6, feedForward: 1.05, periodNanoseconds: 1e7).ratio
        #expect(abs(wild - 1.001) < 1e-9)
        // The feed-forward passes whole: there is no phase error to work off.
        var idle = RateLoop(nominalRatio: 1)
        #expect(idle.update(errorNanoseconds: 0, feedForward: 1.0002, periodNanoseconds: 1e7).ratio == 1.0002)
    }

    @Test func readingsThatStepDoNotModulateTheSound() {
        // Every 20 ms the estimate of the error moves at random by up to 1 µs and that of the rate by up to 0.1 ppm,
        // more than a quiet card's do.
        var loop = RateLoop(nominalRatio: 1)
        var random = UInt64(88_172_645_463_325_252)
        func unit() -> Double {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Double(random >> 11) * 0x1p-52 - 1
        }
        var (error, noise, rate, ratios) = (0.0, 0.0, 0.0, [Double]())
        for period in 0..<4_000 {
            if period % 2 == 0 { (noise, rate) = (1_000 * unit(), 1e-7 * unit()) }
            let step = loop.update(errorNanoseconds: error + noise, feedForward: 1 + rate, periodNanoseconds: 1e7).ratio
            error += (step - 1) * 1e7
            if period >= 1_500 { ratios.append(step - 1) }
        }
        // The phase of 10 kHz at 8 Hz: one side-band is half its amplitude.
        var (re, im) = (0.0, 0.0)
        for (index, ratio) in ratios.enumerated() {
            re += ratio * cos(2 * .pi * 0.08 * Double(index))
            im += ratio * sin(2 * .pi * 0.08 * Double(index))
        }
        let deviation = 2 * (re * re + im * im).squareRoot() / Double(ratios.count)
        let sideBand = 20 * log10(deviation * 10_000 / 8 / 2)
        #expect(sideBand < -120, "\(sideBand) dB")
        #expect(abs(error) < 3_000)
    }

    @Test func jumpsTakeThreeAgreeingObservations() {
        var loop = settled()
        func action(_ error: Double) -> RateLoop.Action {
            loop.update(errorNanoseconds: error, feedForward: 1, periodNanoseconds: 1e7).action
        }
        #expect([4e6, 4e6, 0, 4e6, -4e6, 4e6].map(action) == Array(repeating: .slew, count: 6))
        #expect([4e6, 4e6].map(action) == [.slew, .crossfade])
        #expect([-60e6, -60e6, -60e6].map(action) == [.slew, .slew, .reanchor])
        #expect([2.9e6, 2.9e6, 2.9e6, 2.9e6].map(action) == Array(repeating: .slew, count: 4))
    }

    @Test func aTimebaseIsExactInBothDirections() throws {
        let scale = TimescaleID(rawValue: 7)
        let anchor = GroupTime(nanoseconds: 81_250_000_000, timescale: scale)
        let base = Timebase(rate: 1, mediaTime: MediaTime(frame: 44_100, sampleRate: 44_100), groupTime: anchor)
        let time = try #require(base.groupTimeWithFraction(of: MediaTime(frame: 44_101, sampleRate: 44_100)))
        #expect(time.nanoseconds == 81_250_022_675)
        #expect(abs(time.fraction - 0.736961) < 1e-5)
        let before = try #require(base.groupTimeWithFraction(of: MediaTime(frame: 44_099, sampleRate: 44_100)))
        #expect(before.nanoseconds == 81_249_977_324 && abs(before.fraction - 0.263038) < 1e-5)
        #expect(base.groupTime(of: .zero) == anchor.advanced(byNanoseconds: -1_000_000_000))
        #expect(base.mediaTime(at: anchor.advanced(byNanoseconds: 500_000_000)) == MediaTime(value: 3, timescale: 2))
        #expect(base.mediaTime(at: GroupTime(nanoseconds: 0, timescale: TimescaleID(rawValue: 8))) == nil)
        let paused = Timebase(rate: 0, mediaTime: .zero, groupTime: anchor)
        #expect(paused.groupNanoseconds(of: .zero) == nil && paused.mediaTime(at: anchor) == .zero)
        #expect(DeckRun(timebase: paused, firstFrameTime: .zero, sourceRate: 48_000, startGroupNanoseconds: 0) == nil)
        let far = Timebase(
            rate: 1, mediaTime: .zero, groupTime: GroupTime(nanoseconds: .max, timescale: scale))
        #expect(far.groupTime(of: MediaTime(frame: 1, sampleRate: 8_000)) == nil)
    }
}
