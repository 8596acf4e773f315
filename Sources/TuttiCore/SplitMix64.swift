/// A small generator of well-mixed numbers: the same seed gives the same numbers on every machine. Whatever in this
/// project draws by a seed draws from it.
///
/// After G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators" (2014). RT: plain numbers only,
/// and open to inlining, since dither takes a number for each sample.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// The sequence of a seed.
    @inlinable
    package init(seed: UInt64) { state = seed }

    /// The next number of the sequence.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// The next number of the sequence, uniform in 0 ≤ x < 1.
    @inlinable
    package mutating func unit() -> Double { Self.unit(next()) }

    /// A number in which every bit depends on every bit of `value`.
    @inlinable
    package static func mixed(_ value: UInt64) -> UInt64 {
        let first = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
        return second ^ (second >> 31)
    }

    /// Where a number lies among all, in 0 ≤ x < 1: its upper 53 bits, which a `Double` has room for.
    @inlinable
    package static func unit(_ number: UInt64) -> Double { Double(number >> 11) * 0x1p-53 }
}
