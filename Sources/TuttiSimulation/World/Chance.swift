import Glibc
import TuttiCore

/// Numbers of the world's own: delays, losses, noise. Every part has a sequence for itself, so that more of one thing
/// does not change another.
struct Chance {
    private var generator: SplitMix64

    /// The sequence of a seed and a name.
    init(seed: UInt64, _ name: String) {
        // FNV-1a: the same on every machine, unlike hashes of the standard library.
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        generator = SplitMix64(seed: SplitMix64.mixed(seed ^ hash))
    }

    /// A number of 64 bits.
    mutating func next() -> UInt64 { generator.next() }

    /// 0 ..< 1.
    mutating func unit() -> Double { generator.unit() }

    /// Whether something of this probability happens.
    mutating func happens(_ probability: Double) -> Bool { probability > 0 && unit() < probability }

    /// Exponentially distributed.
    mutating func exponential(mean: Int64) -> Int64 { mean > 0 ? Int64(-log(1 - unit()) * Double(mean)) : 0 }

    /// Normally distributed, of standard deviation 1.
    mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }
}

extension Chance {
    /// The seed of what has this name.
    static func seed(_ seed: UInt64, _ name: String) -> UInt64 {
        var chance = Chance(seed: seed, name)
        return chance.next()
    }
}
