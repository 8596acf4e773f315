/// A small generator of well-mixed numbers: the same seed gives the same numbers on every machine.
///
/// After G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators" (2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The sequence of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next number of the sequence.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number in which every bit depends on every bit of `value`.
    package static func mixed(_ value: UInt64) -> UInt64 {
        let first = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
        return second ^ (second >> 31)
    }
}
