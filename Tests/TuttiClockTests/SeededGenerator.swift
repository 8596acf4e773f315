import Foundation

/// SplitMix64: the same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Uniform in 0 ..< 1.
    mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    mutating func exponential(mean: Double) -> Double { -mean * log(1 - uniform()) }

    mutating func gaussian(sigma: Double) -> Double {
        sigma * (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }
}
