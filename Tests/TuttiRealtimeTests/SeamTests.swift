import Testing
import TuttiPlayback
import TuttiRealtime

@Suite("Seams between decks")
struct SeamTests {
    /// A 997 Hz sine goes on over a change of source rate in mid-air.
    @Test(arguments: [(48_000, 48_000), (44_100, 48_000), (48_000, 96_000), (96_000, 44_100)])
    func aFormatBoundaryIsGapless(before: Int, after: Int) throws {
        var rig = Rig(ppm: 80)
        let start = 5e6 + 0.25
        // The boundary: 0.1 s in, a whole number of frames of either rate.
        let boundary = start + 0.1e9
        let signal = Signal(frequencies: (997, 1501))
        #expect(rig.decks.0.program(rig.run(rate: before, at: start)))
        rig.decks.0.write(signal.frames(0..<before / 10, rate: before))
        rig.decks.0.finish()
        rig.decks.0.arm()
        #expect(rig.decks.1.program(rig.run(rate: after, at: boundary)))
        rig.decks.1.write(signal.frames(after / 10..<after / 10 * 3, rate: after))
        rig.decks.1.arm()
        rig.renderPeriods(20)
        let worst = rig.residual(signal, from: start, frames: 0..<20 * 480)
        // The last frame stands for half a frame of the old rate past it, the first one for half a frame of the new
        // rate before it: where these differ, the sound at the cut is doubled or missing for that long, in the filter's
        // band.
        let gap = abs(0.5 / Double(before) - 0.5 / Double(after)) * Double(min(before, after, 48_000))
        let level = signal.value(at: 0.1)
        let bound = Float(gap) * max(abs(level.x), abs(level.y)) * 1.15 + (before == after ? 1e-5 : 0.015)
        #expect(worst < bound, "residual \(worst), bound \(bound)")
        #expect(rig.decks.0.state == .finished)
        #expect(rig.decks.1.state == .playing)
        #expect(rig.reports.allSatisfy { $0.underrunFrames == 0 && $0.stalls == 0 })
        #expect(rig.reports.contains { $0.audibleDecks == 2 })
    }

    /// What was written behind the place where a deck is opened again is not heard, and what is written then goes on
    /// there, also where it had been said that nothing follows.
    @Test(arguments: [false, true]) func whatADeckTakesBackIsReplacedWithoutASeam(hasEnded: Bool) {
        var rig = Rig(ppm: 80)
        let signal = Signal(frequencies: (997, 1501))
        let other = Signal(frequencies: (440, 660))
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0.25)))
        rig.decks.0.write(signal.frames(0..<4_800, rate: 48_000))
        rig.decks.0.write(other.frames(4_800..<24_000, rate: 48_000))
        if hasEnded { rig.decks.0.finish() }
        rig.decks.0.arm()
        rig.renderPeriods(4)
        #expect(rig.decks.0.reopen(atFrame: 4_800, margin: 1_000))
        #expect(rig.decks.0.framesWritten == 4_800)
        rig.decks.0.write(signal.frames(4_800..<24_000, rate: 48_000))
        rig.renderPeriods(16)
        #expect(rig.residual(signal, from: 0.25, frames: 0..<20 * 480) < 1e-5)
        #expect(rig.decks.0.state == .playing)
        #expect(rig.reports.allSatisfy { $0.underrunFrames == 0 && $0.stalls == 0 && $0.audibleDecks <= 1 })
    }

    /// Where rounding puts a start an unmeasurable bit before the filter's onset, the sound stays where it was.
    @Test(arguments: [5.0e6, 10.0e6, 20.0e6, 1e9 / 48_000 * 7])
    func aSeamOnAWholeFrameIsNotAFrameOff(start: Double) {
        var rig = Rig(ppm: 0)
        let signal = Signal()
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: start)))
        rig.decks.0.write(signal.frames(0..<4_800, rate: 48_000))
        rig.decks.0.finish()
        rig.decks.0.arm()
        #expect(rig.decks.1.program(rig.run(rate: 96_000, at: start + 0.1e9)))
        rig.decks.1.write(signal.frames(9_600..<40_000, rate: 96_000))
        rig.decks.1.arm()
        rig.renderPeriods(30)
        #expect(rig.residual(signal, from: start, frames: 7_000..<30 * 480) < 1e-3)
    }

    @Test func aSeekCrossfadesAtOneInstant() {
        var rig = Rig(ppm: -40)
        let signal = Signal()
        let other = Signal(frequencies: (440, 660))
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0)))
        rig.decks.0.write(signal.frames(0..<24_000, rate: 48_000))
        rig.decks.0.arm()
        rig.renderPeriods(10)
        let seek = 0.15e9
        #expect(rig.decks.1.program(rig.run(rate: 48_000, at: seek, fadeIn: 10_000_000)))
        rig.decks.1.write(other.frames(4_800..<24_000, rate: 48_000))
        rig.decks.1.arm()
        rig.decks.0.end(atGroupNanoseconds: rig.card.origin + Int64(seek), fadeOutNanoseconds: 10_000_000)
        rig.renderPeriods(15)
        #expect(rig.decks.0.state == .finished)
        #expect(rig.residual(signal, from: 0, frames: 100..<7_198) < 1e-5)
        #expect(rig.residual(other, from: seek - 0.1e9, frames: 7_690..<25 * 480) < 1e-5)
        #expect(clickiness(rig.output, 7_000..<8_000) < 0.0165)
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 1e9)))
    }

    @Test func aPauseEndsInSilenceAndAnUnstartedDeckNeverSounds() {
        var rig = Rig(ppm: 0)
        let signal = Signal()
        for deck in [rig.decks.0, rig.decks.1] {
            #expect(deck.program(rig.run(rate: 48_000, at: 0)))
            deck.write(signal.frames(0..<9_600, rate: 48_000))
            deck.arm()
        }
        rig.decks.1.end(atGroupNanoseconds: .min, fadeOutNanoseconds: 5_000_000)
        rig.renderPeriods(5)
        #expect(rig.decks.1.state == .finished)
        #expect(rig.reports[1].audibleDecks == 1)
        rig.decks.0.end(atGroupNanoseconds: .min, fadeOutNanoseconds: 5_000_000)
        rig.renderPeriods(2)
        #expect(rig.decks.0.state == .finished)
        #expect(rig.output[(5 * 480 + 240) * 2..<7 * 480 * 2].allSatisfy { $0 == 0 })
        #expect(clickiness(rig.output, 1_000..<3_000) < 0.0165)
    }

    @Test func framesBeforeTheStartInstantAreSkipped() {
        var rig = Rig(ppm: 0)
        let signal = Signal()
        let early = DeckRun(
            sourceRate: 48_000, anchorFrame: 0, anchorGroupNanoseconds: rig.card.origin - 100_000_000,
            anchorFraction: 0, startGroupNanoseconds: rig.card.origin + 10_000_000, fadeInNanoseconds: 5_000_000)
        #expect(rig.decks.0.program(early))
        rig.decks.0.write(signal.frames(0..<24_000, rate: 48_000))
        rig.decks.0.arm()
        rig.renderPeriods(5)
        #expect(rig.output[0..<960].allSatisfy { $0 == 0 })
        #expect(rig.residual(signal, from: -100e6, frames: 480 + 240..<2_400) < 1e-5)
    }
}
