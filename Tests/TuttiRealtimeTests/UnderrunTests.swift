import Testing
import TuttiPlayback
import TuttiRealtime

@Suite("Running out of data")
struct UnderrunTests {
    @Test func aGapFadesOutAndPlayResumesInPlace() {
        var rig = Rig(ppm: 80)
        let signal = Signal()
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0)))
        rig.decks.0.write(signal.frames(0..<4_900, rate: 48_000))
        rig.decks.0.arm()
        rig.renderPeriods(15)
        #expect(rig.reports.reduce(0) { $0 + $1.stalls } == 1)
        // Silent 5 ms after the last frame that could be made, and no click on the way there.
        #expect(rig.output[2 * (4_900 + 240)..<2 * 15 * 480].allSatisfy { $0 == 0 })
        #expect(rig.residual(signal, from: 0, frames: 0..<4_860) < 1e-5)
        #expect(clickiness(rig.output, 4_000..<6_000) < 0.14)
        rig.decks.0.write(signal.frames(4_900..<24_000, rate: 48_000))
        rig.renderPeriods(20)
        #expect(rig.residual(signal, from: 0, frames: 15 * 480 + 240..<35 * 480) < 1e-5)
        #expect(clickiness(rig.output, 7_000..<9_000) < 0.0165)
        #expect(rig.reports.reduce(0) { $0 + $1.stalls } == 1)
        let missing = rig.reports.reduce(0) { $0 + $1.underrunFrames }
        #expect((15 * 480 - 4_900..<15 * 480 - 4_850).contains(missing))
        #expect(rig.reports.reduce(0) { $0 + $1.skippedFrames } > 2_000)
    }

    @Test func aRingFullOfFramesThatCameTooLateEmptiesItself() {
        var rig = Rig(ppm: 0, ringFrames: 4_096)
        let signal = Signal()
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0)))
        rig.decks.0.arm()
        rig.renderPeriods(40)
        #expect(rig.reports.reduce(0) { $0 + $1.stalls } == 1)
        var written = 0
        for _ in 0..<40 {
            written += rig.decks.0.write(signal.frames(written..<written + 4_096, rate: 48_000))
            rig.renderPeriods(1)
        }
        #expect(rig.decks.0.state == .playing)
        #expect(rig.residual(signal, from: 0, frames: 60 * 480..<80 * 480) < 1e-5)
    }

    @Test func aLateDeckFadesInWhereItShouldBe() {
        var rig = Rig(ppm: 0)
        let signal = Signal()
        #expect(rig.decks.0.program(rig.run(rate: 44_100, at: 0)))
        rig.decks.0.write(signal.frames(0..<22_050, rate: 44_100))
        rig.renderPeriods(10)
        rig.decks.0.arm()
        rig.renderPeriods(5)
        #expect(abs(rig.output[2 * 4_800]) < 1e-3)
        #expect(rig.residual(signal, from: 0, frames: 4_800 + 240..<7_200) < 1e-5)
    }

    @Test func theEndOfTheSourceIsNoUnderrun() {
        var rig = Rig(ppm: 0)
        let signal = Signal()
        #expect(rig.decks.0.program(rig.run(rate: 44_100, at: 0)))
        rig.decks.0.write(signal.frames(0..<4_410, rate: 44_100))
        rig.decks.0.finish()
        rig.decks.0.arm()
        rig.renderPeriods(15)
        #expect(rig.decks.0.state == .finished)
        #expect(rig.reports.allSatisfy { $0.underrunFrames == 0 && $0.stalls == 0 })
        #expect(rig.output[2 * 5_000..<2 * 7_200].allSatisfy { $0 == 0 })
    }
}
