import Glibc
import TuttiCore

/// What a seed decides in a script.
struct Dice {
    private var random: SplitMix64

    /// Dice for one purpose: those for another are independent of them.
    init(seed: UInt64, purpose: UInt64) { random = SplitMix64(seed: SplitMix64.mixed(seed) ^ purpose) }

    /// Uniform in 0 ≤ x < 1.
    mutating func unit() -> Double { random.unit() }

    /// A whole number of the range, each as likely as the other but for a part in 2⁵³.
    mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(unit() * Double(range.count))
    }

    /// A time of the range, in whole milliseconds.
    mutating func time(_ shortest: Int64, _ longest: Int64) -> Int64 {
        let milliseconds = Int64((Double(shortest) + unit() * Double(longest - shortest)) / 1e6)
        return max(1, milliseconds) * 1_000_000
    }

    /// The time until the next of things that happen independently of each other, in whole milliseconds.
    mutating func wait(mean: Int64) -> Int64 {
        max(1, Int64(-log(1 - unit()) * Double(mean) / 1e6)) * 1_000_000
    }

    mutating func choice<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[integer(in: 0...elements.count - 1)]
    }

    mutating func flag() -> Bool { unit() < 0.5 }
}
