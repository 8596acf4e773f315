import Testing
import TuttiPlayback
import TuttiRealtime

@Suite("Correction off")
struct PassthroughTests {
    @Test func samplesPassUnalteredAtEqualRates() {
        var rig = Rig(ppm: 130, period: 441)
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 3e6), correction: .off))
        var noise: [Float] = []
        var state: UInt64 = 42
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            noise.append(Float(Int16(truncatingIfNeeded: state >> 33)) / 32_768)
        }
        rig.decks.0.write(noise)
        rig.decks.0.finish()
        rig.decks.0.arm()
        rig.renderPeriods(30)
        let first = rig.output.firstIndex { $0 != 0 } ?? 0
        let skipped = noise.firstIndex { $0 != 0 } ?? 0
        let begin = first - skipped
        #expect(begin == 2 * 144)
        let isSame = rig.output[begin..<begin + noise.count].elementsEqual(noise)
        #expect(isSame)
        #expect(rig.output[(begin + noise.count)...].allSatisfy { $0 == 0 })
        #expect(rig.reports.allSatisfy { $0.isBitExact })
        #expect(rig.decks.0.state == .finished)
    }

    /// A card that runs fast is off by several frames after a second: what replaces what it has been given still comes
    /// on the frame.
    @Test func whatIsReplacedFollowsOnTheFrameThoughTheDeckIsOffItsLine() {
        var rig = Rig(ppm: 130)
        let sound = Signal().frames(0..<96_000, rate: 48_000)
        let (seam, end) = (2 * 57_600, 2 * 96_000)
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0), correction: .off))
        rig.decks.0.write(Array(sound[..<seam]))
        rig.decks.0.write([Float](repeating: 0.75, count: 9_600))
        rig.decks.0.arm()
        rig.renderPeriods(100)
        #expect(rig.decks.0.reopen(atFrame: Int64(seam / 2), margin: 1_000))
        rig.decks.0.write(Array(sound[seam..<end]))
        rig.renderPeriods(95)
        #expect(abs(rig.reports[100].errorNanoseconds) > 100_000)
        #expect(rig.output.elementsEqual(sound[..<rig.output.count]))
    }

    /// The start is 0.3 frames behind the first period, and by what is known one period later 0.7 before the second.
    @Test func theFirstFrameIsNotGivenUpBetweenTwoPeriods() {
        var rig = Rig(ppm: 0)
        let sound = (0..<4_800).map { Float($0 + 1) / 8_192 }
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 480.3 / 48_000 * 1e9), correction: .off))
        rig.decks.0.write(sound)
        rig.decks.0.arm()
        rig.renderPeriods(1)
        rig.card.misjudgement = 1e9 / 48_000
        rig.renderPeriods(3)
        #expect(rig.output[..<960].allSatisfy { $0 == 0 })
        #expect(rig.output[960...].elementsEqual(sound.prefix(3 * 960)))
    }

    @Test func aVolumeIsNotBitExact() {
        var rig = Rig(ppm: 0)
        #expect(rig.decks.0.program(rig.run(rate: 48_000, at: 0), correction: .off))
        rig.decks.0.write(Signal().frames(0..<4_800, rate: 48_000))
        rig.decks.0.arm()
        rig.renderPeriods(2)
        #expect(rig.reports[1].isBitExact)
        rig.card.gain = 0.5
        rig.renderPeriods(2)
        #expect(!rig.reports[3].isBitExact)
        let left = stride(from: 3 * 960, to: 4 * 960, by: 2).map { rig.output[$0].magnitude }
        #expect(abs((left.max() ?? 0) - 0.25) < 0.01)
    }

    @Test func unequalRatesRunAtTheNominalRatio() {
        var rig = Rig(ppm: 100)
        #expect(rig.decks.0.program(rig.run(rate: 44_100, at: 0), correction: .off))
        rig.decks.0.write(Signal().frames(0..<22_050, rate: 44_100))
        rig.decks.0.arm()
        rig.renderPeriods(20)
        #expect(rig.reports.allSatisfy { $0.ratioPPM == 0 })
        // 190 ms at 100 ppm.
        #expect(abs(rig.reports[19].errorNanoseconds - 19_000) < 100)
    }
}
