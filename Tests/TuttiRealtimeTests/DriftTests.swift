import Testing
import TuttiPlayback
import TuttiRealtime

@Suite("Holding a run on its line")
struct DriftTests {
    /// A delay of 1 µs moves a 2011 Hz sine of amplitude 0.5 by 6.3e-3; the tolerance is 600 times less (60 times at
    /// 8 kHz, where the test signal's rise is not quite band-limited).
    @Test(arguments: [
        (48_000, 80.0), (48_000, -80), (48_000, 200), (48_000, -200), (44_100, 60), (44_100, -200), (96_000, 80),
        (192_000, -80), (8_000, 50),
    ])
    func theOutputIsTheSourceDelayedExactlyFromTheFirstSample(rate: Int, ppm: Double) {
        var rig = Rig(ppm: ppm)
        let start = 31_234_567.89
        #expect(rig.decks.0.program(rig.run(rate: rate, at: start)))
        let signal = Signal(frequencies: (997, 2011))
        rig.decks.0.write(signal.frames(0..<rate * 3 / 10, rate: rate))
        rig.decks.0.arm()
        rig.renderPeriods(25)
        let residual = rig.residual(signal, from: start, frames: 0..<25 * 480)
        #expect(residual < (rate == 8_000 ? 1e-4 : 1e-5), "residual \(residual)")
        #expect(rig.reports.allSatisfy { abs($0.errorNanoseconds) < 1 && $0.underrunFrames == 0 })
        #expect(rig.output.contains { abs($0) > 0.4 })
    }

    @Test func aStartOnAFractionOfAFrameIsPaddedWithWholeFramesOfSilence() {
        for fraction in [0.0, 0.1, 0.5, 0.999] {
            var rig = Rig(ppm: 0)
            let start = (700 + fraction) * 1e9 / 48_000
            #expect(rig.decks.0.program(rig.run(rate: 44_100, at: start, fadeIn: 1)))
            let signal = Signal()
            rig.decks.0.write(signal.frames(0..<8_820, rate: 44_100))
            rig.decks.0.arm()
            rig.renderPeriods(6)
            #expect(rig.output[0..<1400].allSatisfy { $0 == 0 })
            #expect(rig.residual(signal, from: start, frames: 0..<6 * 480) < 1e-5)
        }
    }

    @Test func aMisjudgedClockIsFollowedWithoutAJump() {
        var rig = Rig(ppm: 80)
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0)))
        let signal = Signal()
        rig.decks.0.write(signal.frames(0..<60_000, rate: 48_000))
        rig.decks.0.arm()
        rig.renderPeriods(3)
        rig.card.misjudgement = 200_000
        rig.renderPeriods(1)
        #expect(abs(rig.reports[3].errorNanoseconds + 200_000) < 10)
        rig.renderPeriods(96)
        let last = rig.reports[99]
        // 0.96 s with a time constant of 0.7 s.
        #expect(abs(last.errorNanoseconds / -200_000 - 0.2) < 0.03)
        #expect(last.crossfades + last.reanchors == 0)
        // The correction of 80 ppm and the card's own cancel.
        #expect(abs(last.ratioPPM) < 15)
        // The slope of the sum of the sines bounds the step from frame to frame.
        var worst: Float = 0
        for frame in 1000..<47_000 { worst = max(worst, abs(rig.output[2 * frame] - rig.output[2 * frame - 2])) }
        #expect(worst < 0.0655)
    }

    @Test func anErrorOfTenMillisecondsIsJumpedOnceAfterThreeObservations() {
        for sign in [-1.0, 1] {
            var rig = Rig(ppm: 0)
            #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0)))
            let signal = Signal()
            rig.decks.0.write(signal.frames(0..<40_000, rate: 48_000))
            rig.decks.0.arm()
            rig.renderPeriods(20)
            rig.card.misjudgement = sign * 10e6
            rig.renderPeriods(12)
            #expect(rig.reports.reduce(0) { $0 + $1.crossfades } == 1)
            #expect(rig.reports[22].crossfades == 1)
            #expect(abs(rig.reports[24].errorNanoseconds) < 1)
            #expect(rig.residual(signal, from: -sign * 10e6, frames: 24 * 480..<32 * 480) < 1e-5)
            #expect(clickiness(rig.output, 10_000..<15_000) < 0.14)
        }
    }

    @Test func aLargeErrorIsReanchoredAndOneObservationChangesNothing() {
        var rig = Rig(ppm: 0)
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0)))
        let signal = Signal()
        rig.decks.0.write(signal.frames(0..<40_000, rate: 48_000))
        rig.decks.0.arm()
        rig.renderPeriods(10)
        rig.card.misjudgement = 100e6
        rig.renderPeriods(2)
        rig.card.misjudgement = 0
        rig.renderPeriods(2)
        #expect(rig.reports.allSatisfy { $0.reanchors + $0.crossfades == 0 })
        rig.card.misjudgement = 100e6
        rig.renderPeriods(8)
        #expect(rig.reports.reduce(0) { $0 + $1.reanchors } == 1)
        #expect(rig.residual(signal, from: -100e6, frames: 18 * 480..<22 * 480) < 1e-5)
    }

    @Test func afterADiscontinuityTheVeryNextPeriodIsInPlace() {
        var rig = Rig(ppm: 50)
        #expect(rig.decks.0.program(rig.run(rate: 44_100, at: 0)))
        let signal = Signal()
        rig.decks.0.write(signal.frames(0..<30_000, rate: 44_100))
        rig.decks.0.arm()
        rig.renderPeriods(10)
        // The card stood still for 23.4 ms: what follows sounds that much later.
        rig.card.misjudgement = 23.4e6
        rig.card.isDiscontinuity = true
        rig.renderPeriods(4)
        #expect(rig.reports[10].reanchors == 1)
        #expect(abs(rig.reports[11].errorNanoseconds) < 1)
        #expect(rig.residual(signal, from: -23.4e6, frames: 10 * 480 + 240..<14 * 480) < 1e-5)
    }

    @Test func withoutAClockNothingStartsAndWhatPlaysGoesOn() {
        var rig = Rig(ppm: 0)
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0)))
        let signal = Signal()
        rig.decks.0.write(signal.frames(0..<20_000, rate: 48_000))
        rig.decks.0.arm()
        rig.card.isClockValid = false
        rig.renderPeriods(1)
        #expect(rig.reports[0].audibleDecks == 0 && rig.output.allSatisfy { $0 == 0 })
        rig.card.isClockValid = true
        rig.renderPeriods(1)
        rig.card.isClockValid = false
        rig.renderPeriods(3)
        #expect(rig.residual(signal, from: 0, frames: 480 + 240..<5 * 480) < 1e-5)
    }
}

/// The largest second difference of the left channel: what a click raises.
func clickiness(_ output: [Float], _ frames: Range<Int>) -> Float {
    var worst: Float = 0
    for frame in frames {
        let bend = output[2 * frame] - 2 * output[2 * frame - 2] + output[2 * frame - 4]
        worst = max(worst, abs(bend))
    }
    return worst
}
