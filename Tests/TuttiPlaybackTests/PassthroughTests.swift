import Testing
import TuttiPlayback

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
        #expect(abs(rig.reports[3].peakLeft - 0.25) < 0.01)
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
