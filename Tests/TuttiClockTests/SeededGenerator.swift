import Foundation
import TuttiCore

/// The same numbers on every run.
typealias SeededGenerator = SplitMix64

extension SplitMix64 {
    init(_ seed: UInt64) { self.init(seed: seed) }

    /// Uniform in 0 ..< 1.
    mutating func uniform() -> Double { unit() }

    mutating func exponential(mean: Double) -> Double { -mean * log(1 - uniform()) }

    mutating func gaussian(sigma: Double) -> Double {
        sigma * (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }
}
