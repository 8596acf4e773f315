import Synchronization
import TuttiCore

/// Where numbers come from that nobody is to guess: the system, or, for a run that can be had again, a seed.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private let draw: @Sendable () -> UInt64

    /// The system's own.
    package static let system = RandomSource { SystemRandomNumberGenerator.seed() }

    private init(draw: @escaping @Sendable () -> UInt64) { self.draw = draw }

    /// The sequence of a seed, which all copies share.
    package init(seed: UInt64) {
        let sequence = SharedSequence(seed: seed)
        self.init { sequence.next() }
    }

    /// The next number.
    package func next() -> UInt64 { draw() }

    /// The next number in hexadecimal, as ids are written.
    package func hexadecimal() -> String { String(next(), radix: 16) }
}

/// A sequence that several draw from in turn.
private final class SharedSequence: Sendable {
    private let generator: Mutex<SplitMix64>

    init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    func next() -> UInt64 { generator.withLock { $0.next() } }
}
