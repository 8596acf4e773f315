import Foundation
import Testing
import TuttiChain

@Suite struct RandomChainTests {
    @Test func chainsComeBackFromTextAndJSON() throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        for seed in 0..<1_000 {
            var random = RandomChains(seed: UInt64(seed))
            let chain = random.chain()
            try chain.validate()
            let text = chain.description
            #expect(try EffectChain(parsing: text) == chain, "seed \(seed): \(text)")
            #expect(try decoder.decode(EffectChain.self, from: encoder.encode(chain)) == chain, "seed \(seed)")
        }
    }

    /// What is taken is valid, and comes back from its own text.
    @Test func damagedTextsNeverTrap() throws {
        var taken = 0
        for seed in 0..<3_000 {
            var random = RandomChains(seed: UInt64(seed))
            let text = random.damaged(random.chain().description)
            guard let chain = try? EffectChain(parsing: text) else { continue }
            taken += 1
            try chain.validate()
            #expect(try EffectChain(parsing: chain.description) == chain, "seed \(seed): \(text)")
        }
        #expect(taken > 250 && taken < 3_000)
    }

    @Test func damagedJSONNeverTraps() throws {
        for seed in 0..<1_000 {
            var random = RandomChains(seed: UInt64(seed))
            let json = String(decoding: try JSONEncoder().encode(random.chain()), as: UTF8.self)
            let text = random.damaged(json)
            guard let chain = try? JSONDecoder().decode(EffectChain.self, from: Data(text.utf8)) else { continue }
            try chain.validate()
        }
    }

    /// A text of the greatest size takes no more than a moment, whatever stands in it.
    @Test(arguments: ["a", " ", "\n", "gain 0\n", ";", "\"", "=", "#", "eq ", "eq notch 50;", "1", "e\u{301}", "/ 1 "])
    func timeStaysLinear(part: String) {
        let text = String(repeating: part, count: EffectChain.Limits.maximumTextSize / part.utf8.count)
        for start in ["", "eq ", "channels ", "convolve ", "limit ", "eq peak "] {
            let time = ContinuousClock().measure {
                _ = try? EffectChain(parsing: String((start + text).prefix(65_000)))
                _ = try? EqualizerText(parsing: text)
            }
            #expect(time < .seconds(5))
        }
    }
}
