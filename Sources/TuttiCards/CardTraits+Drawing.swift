import TuttiCore

extension CardTraits {
    private static let steps = [1, 1, 1, 16, 32, 48, 64, 128, 256, 256, 512, 1_024]

    /// The card of a seed. Each peculiarity is there or not, whatever the others are.
    package static func drawn(seed: UInt64) -> CardTraits {
        var dice = SplitMix64(seed: SplitMix64.mixed(seed) ^ 0xCA4D_CA4D)
        var card = CardTraits()
        card.ppm = Double(Int.random(in: -2_000...2_000, using: &dice)) / 10
        if Int.random(in: 0..<4, using: &dice) > 0 {
            card.startLatency = Int64.random(in: 0...20_000_000, using: &dice)
        }
        card.step = steps[Int.random(in: 0..<steps.count, using: &dice)]
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: card.lead = card.step
        case 1: card.lead = Int.random(in: 1...1_024, using: &dice)
        default: break
        }
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: card.delaySurplus = card.lead
        case 1: card.delaySurplus = Int.random(in: -200...200, using: &dice)
        default: break
        }
        if Int.random(in: 0..<4, using: &dice) == 0 {
            card.lockingPpm = Double(Int.random(in: -5_000...5_000, using: &dice))
        }
        if Int.random(in: 0..<5, using: &dice) == 0 {
            card.pauses = Pauses(
                interval: Int64.random(in: 2_000_000_000...6_000_000_000, using: &dice),
                length: Int64.random(in: 3_000_000...20_000_000, using: &dice))
        }
        card.drawForm(&dice)
        return card
    }

    /// What samples it takes.
    private mutating func drawForm(_ dice: inout SplitMix64) {
        if Int.random(in: 0..<5, using: &dice) == 0 { rate = 44_100 }
        isOnly16Bit = Int.random(in: 0..<4, using: &dice) == 0
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: channels = 1
        case 1: channels = 8
        default: break
        }
    }
}
