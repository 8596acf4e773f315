import TuttiCore

/// What sets the link of one host apart from others, as far as a program notices that plays across it: one member of a
/// population.
///
/// Whoever tries something across links draws them (`drawn(seed:)`), for the same reason as cards. Both directions are
/// alike.
package struct LinkTraits: Sendable, Equatable {
    /// The sorts of links in houses.
    package enum Medium: String, Sendable, CaseIterable {
        case wire, powerline, wifi, badWiFi = "badwifi"
    }

    /// Times in which nothing passes, in ns: one in each period, at a place and of a length that a seed decides.
    package struct Stall: Sendable, Equatable, Codable {
        package var period: Int64
        package var shortest: Int64
        package var longest: Int64

        /// Stalls.
        package init(period: Int64, shortest: Int64, longest: Int64) {
            self.period = period
            self.shortest = shortest
            self.longest = longest
        }
    }

    package var medium: Medium
    /// The least delay, and the mean of the exponentially distributed one on top of it, in ns.
    package var (base, jitter): (Int64, Int64)
    /// The share of the frames that is lost, 0 … 1.
    package var loss: Double
    package var stall: Stall?
    /// What it carries, in bits a second.
    package var bitsPerSecond: Int64
    /// How long the queue in front of it may become, in ns.
    package var queue: Int64
    /// Whether the queue keeps flows apart (fq_codel).
    package var isFair: Bool
}

extension LinkTraits {
    /// The link of a seed. What it carries and how long its queue may be is drawn evenly over the orders of magnitude.
    package static func drawn(seed: UInt64) -> LinkTraits {
        var dice = SplitMix64(seed: SplitMix64.mixed(seed) ^ 0x11_4C_11_4C)
        let medium = Medium.allCases[Int.random(in: 0..<Medium.allCases.count, using: &dice)]
        let queue = Int64(between(2e6, 500e6, &dice))
        let isFair = Int.random(in: 0..<4, using: &dice) == 0
        switch medium {
        case .wire:
            let rates: [Int64] = [10_000_000, 100_000_000, 1_000_000_000]
            return LinkTraits(
                medium: medium, base: Int64(between(20e3, 400e3, &dice)), jitter: Int64(between(2e3, 40e3, &dice)),
                loss: 0, bitsPerSecond: rates[Int.random(in: 0..<rates.count, using: &dice)], queue: queue,
                isFair: isFair)
        case .powerline:
            return LinkTraits(
                medium: medium, base: Int64(between(1e6, 3e6, &dice)), jitter: Int64(between(100e3, 1e6, &dice)),
                loss: between(1e-4, 5e-3, &dice), bitsPerSecond: Int64(between(8e6, 200e6, &dice)), queue: queue,
                isFair: isFair)
        case .wifi:
            return LinkTraits(
                medium: medium, base: Int64(between(500e3, 1.5e6, &dice)), jitter: Int64(between(300e3, 1.5e6, &dice)),
                loss: between(1e-4, 3e-3, &dice),
                stall: Stall(
                    period: Int64(between(1e9, 5e9, &dice)), shortest: 5_000_000,
                    longest: Int64(between(10e6, 50e6, &dice))),
                bitsPerSecond: Int64(between(20e6, 400e6, &dice)), queue: queue, isFair: isFair)
        case .badWiFi:
            return LinkTraits(
                medium: medium, base: Int64(between(1e6, 3e6, &dice)), jitter: Int64(between(1.5e6, 4e6, &dice)),
                loss: between(3e-3, 2e-2, &dice),
                stall: Stall(
                    period: Int64(between(1e9, 5e9, &dice)), shortest: 20_000_000,
                    longest: Int64(between(60e6, 250e6, &dice))),
                bitsPerSecond: Int64(between(8e6, 60e6, &dice)), queue: queue, isFair: isFair)
        }
    }

    /// Evenly distributed between the logarithms of two values, by squaring dice: no function of the C library, whose
    /// last digit differs.
    private static func between(_ least: Double, _ most: Double, _ dice: inout SplitMix64) -> Double {
        var (low, high) = (least, most)
        for _ in 0..<20 {
            let middle = (low * high).squareRoot()
            if Bool.random(using: &dice) { low = middle } else { high = middle }
        }
        return low
    }
}
