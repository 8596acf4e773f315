import Synchronization
import TuttiCore

/// Hands the newest `ClockEstimate` from one writing thread to any number of reading ones without locks.
///
/// Guard: every shared word is an `Atomic`. The writer fills the next of four banks and then publishes its number; a
/// reader copies the bank of the newest number and takes the copy when no more than two publications came between, so
/// it never waits for a writer that was suspended half-way. `publish` and `clear` belong to one thread at a time.
package final class ClockEstimateSlot: Sendable {
    private static let bankCount: UInt64 = 4
    private static let wordCount = 8

    private let words = InlineArray<32, Atomic<UInt64>> { _ in Atomic(0) }
    /// How many publications there were; the newest lies in bank `published % bankCount`.
    private let published = Atomic<UInt64>(0)

    /// An empty slot.
    package init() {}

    /// Makes `estimate` the one that readers get.
    package func publish(_ estimate: ClockEstimate) { write(estimate, isValid: true) }

    /// Empties the slot: there is no clock.
    package func clear() {
        write(
            ClockEstimate(
                timescale: .init(rawValue: 0), referenceHost: .init(nanoseconds: 0), offset: 0, drift: 0,
                offsetSigma: 0, driftSigma: 0),
            isValid: false)
    }

    /// The newest estimate, or nil when the slot is empty. RT: no lock, no allocation, a bounded number of steps.
    ///
    /// Nil too when the writer overtook three attempts in a row, which takes nine publications within nanoseconds.
    package func read() -> ClockEstimate? {
        for _ in 0..<3 {
            let number = published.load(ordering: .acquiring)
            let base = Int(number % Self.bankCount) * Self.wordCount
            let copy = InlineArray<8, UInt64> { words[base + $0].load(ordering: .relaxed) }
            atomicMemoryFence(ordering: .acquiring)
            guard published.load(ordering: .relaxed) &- number < Self.bankCount - 1 else { continue }
            guard copy[7] == 1 else { return nil }
            return ClockEstimate(words: copy)
        }
        return nil
    }

    private func write(_ estimate: ClockEstimate, isValid: Bool) {
        let number = published.load(ordering: .relaxed) &+ 1
        let base = Int(number % Self.bankCount) * Self.wordCount
        // Whoever reads a word stored below must also see the publication before this one.
        atomicMemoryFence(ordering: .releasing)
        words[base].store(estimate.timescaleRawValue, ordering: .relaxed)
        words[base + 1].store(UInt64(bitPattern: estimate.referenceHostNanoseconds), ordering: .relaxed)
        words[base + 2].store(UInt64(bitPattern: estimate.offset), ordering: .relaxed)
        words[base + 3].store(estimate.offsetFraction.bitPattern, ordering: .relaxed)
        words[base + 4].store(estimate.drift.bitPattern, ordering: .relaxed)
        words[base + 5].store(estimate.offsetSigma.bitPattern, ordering: .relaxed)
        words[base + 6].store(estimate.driftSigma.bitPattern, ordering: .relaxed)
        words[base + 7].store(isValid ? 1 : 0, ordering: .relaxed)
        published.store(number, ordering: .releasing)
    }
}

extension ClockEstimate {
    /// The estimate in the words of a slot.
    fileprivate init(words: InlineArray<8, UInt64>) {
        self.init(
            timescale: .init(rawValue: words[0]), referenceHost: .init(nanoseconds: Int64(bitPattern: words[1])),
            offset: Int64(bitPattern: words[2]), offsetFraction: Double(bitPattern: words[3]),
            drift: Double(bitPattern: words[4]), offsetSigma: Double(bitPattern: words[5]),
            driftSigma: Double(bitPattern: words[6]))
    }
}
