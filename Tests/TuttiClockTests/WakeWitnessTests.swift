import Testing
import TuttiClock

@Suite struct WakeWitnessTests {
    /// Wake-ups some 10 µs late and now and then much more, held against a line that has frames leave `off` ns too
    /// early.
    private func wake(_ witness: inout WakeWitness, off: Double, count: Int, step: Double = 0, seed: UInt64) {
        var generator = SeededGenerator(seed)
        for _ in 0..<count {
            let late = 8e3 + generator.exponential(mean: 30e3) + (generator.uniform() < 0.1 ? 2e6 : 0)
            witness.observe(lateness: late + off, sigma: 1e3, step: step)
        }
    }

    @Test func aRightLineIsNeverObjectedTo() {
        for seed in 0..<20 as Range<UInt64> {
            var witness = WakeWitness()
            for run in 0..<4 {
                for lot in 0..<30 {
                    wake(&witness, off: 0, count: 50, seed: seed &* 1_000 &+ UInt64(run * 100 + lot))
                    #expect(witness.objection == 0)
                }
                witness.restart()
            }
        }
    }

    @Test(arguments: [-2e6, -460e3, -200e3, 250e3, 460e3, 3e6])
    func aLineThatIsOffIsObjectedToAndByHowMuch(off: Double) {
        var witness = WakeWitness()
        wake(&witness, off: 0, count: 1_000, seed: 1)
        witness.restart()
        wake(&witness, off: off, count: 150, seed: 2)
        #expect(abs(witness.objection - off) < 40e3, "\(witness.objection)")
        wake(&witness, off: 0, count: 200, seed: 3)
        #expect(witness.objection == 0)
    }

    /// Even of a card that was never seen before it is clear that it does not wake anybody before its time.
    @Test func theFirstLineIsObjectedToWhereItHasFramesLeaveTooLate() {
        var witness = WakeWitness()
        wake(&witness, off: -460e3, count: 100, seed: 4)
        #expect(abs(witness.objection + 450e3) < 40e3)
        var late = WakeWitness()
        wake(&late, off: 460e3, count: 300, seed: 4)
        #expect(late.objection == 0)
    }
}
