import Synchronization

/// What the render thread tells the rest of the speaker, and what it is told: atomics only, so that neither side waits.
final class RenderCounters: Sendable {
    /// Periods that the error history spans: about a minute and a half at 10 ms.
    static let historyLength = 8_192

    // MARK: From the render thread

    /// Times that the device ran dry.
    let xruns = Atomic<Int>(0)
    /// Times that the audio ran out.
    let stalls = Atomic<Int>(0)
    /// Decks that sounded in the last period.
    let audibleDecks = Atomic<Int>(0)
    /// Whether the last period lacked audio that should have sounded.
    let isStarved = Atomic<Bool>(false)
    /// Whether the card's clock is known well enough to start on.
    let isDeviceSettled = Atomic<Bool>(false)
    /// Bit patterns of the card's rate error and its standard deviation, ppm; NaN while unknown.
    let devicePpmBits = Atomic<UInt64>(Double.nan.bitPattern)
    let devicePpmSigmaBits = Atomic<UInt64>(Double.nan.bitPattern)

    // MARK: To the render thread

    /// Bit pattern of the gain.
    let gainBits = Atomic<UInt32>(Float(1).bitPattern)
    /// Milliseconds in which a new gain is reached.
    let gainRampMilliseconds = Atomic<Int>(50)
    /// How late the output is heard, in ns.
    let outputDelay = Atomic<Int64>(0)
    /// Whether the device is wanted.
    let isWanted = Atomic<Bool>(false)
    /// Whether the render thread shall end.
    let isStopping = Atomic<Bool>(false)

    private let errorCount = Atomic<Int>(0)
    private let errors = InlineArray<8_192, Atomic<Int32>> { _ in Atomic(0) }

    /// Notes the distance from where the sound should be, in ns; positive is too late. RT.
    func note(errorNanoseconds: Double) {
        let index = errorCount.load(ordering: .relaxed)
        let clamped = min(max(errorNanoseconds, -2e9), 2e9)
        errors[index % Self.historyLength].store(Int32(clamped), ordering: .relaxed)
        errorCount.store(index &+ 1, ordering: .releasing)
    }

    /// Forgets the errors of what played before. RT.
    func forgetErrors() { errorCount.store(0, ordering: .releasing) }

    /// The last error and the 99th percentile of the last `count` magnitudes, in µs; nil before the first.
    func syncError(last count: Int) -> (latest: Double, p99: Double)? {
        let end = errorCount.load(ordering: .acquiring)
        let available = min(end, Self.historyLength - 1, max(count, 1))
        guard available > 0 else { return nil }
        let magnitudes = ((end - available)..<end)
            .map { errors[$0 % Self.historyLength].load(ordering: .relaxed).magnitude }.sorted()
        let latest = errors[(end - 1) % Self.historyLength].load(ordering: .relaxed)
        let rank = min(magnitudes.count - 1, magnitudes.count * 99 / 100)
        return (Double(latest) / 1_000, Double(magnitudes[rank]) / 1_000)
    }

    /// A figure stored as a bit pattern; nil while it is not a number.
    static func value(_ bits: borrowing Atomic<UInt64>) -> Double? {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        return value.isNaN ? nil : value
    }
}
