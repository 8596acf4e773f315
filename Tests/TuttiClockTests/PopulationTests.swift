import Testing
import TuttiCards
import TuttiClock
import TuttiCore

/// The model on cards as they are, not on one of them.
struct PopulationTests {
    private static let seeds = 0..<200 as Range<UInt64>

    private func worst(_ verdicts: [DrawnCard.Verdict], from: Double, to: Double = .infinity) -> Double {
        let counted = verdicts.filter { $0.seconds >= from && $0.seconds < to }
        return counted.isEmpty ? .infinity : counted.map { abs($0.error) }.max() ?? .infinity
    }

    @Test func everyCardIsKnownHalfASecondAfterItsStart() {
        for seed in Self.seeds {
            var card = DrawnCard(.drawn(seed: seed), seed: seed)
            let off = worst(card.start(isWatched: false) + card.run(for: 3), from: 0.5)
            #expect(off <= 40, "seed \(seed): \(off) µs, \(card.traits)")
        }
    }

    @Test func everyCardIsKnownToTwentyMicrosecondsHalfASecondAfterAnXrun() {
        for seed in Self.seeds {
            var traits = CardTraits.drawn(seed: seed)
            traits.pauses = nil
            var card = DrawnCard(traits, seed: seed)
            _ = card.start(isWatched: false) + card.run(for: 8)
            for _ in 0..<2 {
                let off = worst(card.start(after: 30e6, isWatched: true) + card.run(for: 4), from: 0.5)
                #expect(off <= 20, "seed \(seed): \(off) µs, \(traits)")
            }
        }
    }

    @Test func aPointerThatStandsAndJumpsMovesTheLineByLittle() {
        var worsts: [Double] = []
        for seed in Self.seeds {
            var traits = CardTraits.drawn(seed: seed)
            guard traits.pauses != nil else { continue }
            traits.lockingPpm = 0
            var card = DrawnCard(traits, seed: seed)
            let off = worst(card.start(isWatched: false) + card.run(for: 20), from: 3)
            #expect(off <= 100, "seed \(seed): \(off) µs, \(traits)")
            worsts.append(off)
        }
        // One that stands for one and a half steps may seem to have jumped, until it moves.
        #expect(worsts.count >= 30 && worsts.filter { $0 > 30 }.count <= 1, "\(worsts)")
    }

    @Test(arguments: [16, 48, 64, 256, 512, 1_024]) func coarsePointersAreAsGoodAsFineOnes(step: Int) {
        var errors: [Double] = []
        for seed in 0..<12 as Range<UInt64> {
            var traits = CardTraits()
            (traits.step, traits.ppm) = (step, Double(seed) * 30 - 180)
            var card = DrawnCard(traits, seed: seed)
            errors += (card.start(isWatched: false) + card.run(for: 30)).filter { $0.seconds > 1 }.map { abs($0.error) }
        }
        #expect(percentile(errors, 0.99) <= 15, "\(percentile(errors, 0.99)) µs")
    }
}
