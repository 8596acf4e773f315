import Synchronization
import TuttiClock
import TuttiCore

/// What the render thread tells the rest of the speaker, and what it is told: atomics only, so that neither side waits.
final class RenderCounters: Sendable {
    // MARK: From the render thread

    /// Times that the device ran dry.
    let xruns = Atomic<Int>(0)
    /// Times that the audio ran out.
    let stalls = Atomic<Int>(0)
    /// Decks that sounded in the last period.
    let audibleDecks = Atomic<Int>(0)
    /// Whether the last period lacked audio that should have sounded.
    let isStarved = Atomic<Bool>(false)
    /// How much the device holds at most, in ns.
    let deviceDepth = Atomic<Int64>(40_000_000)
    /// Whether the card's clock is known well enough to start on.
    let isDeviceSettled = Atomic<Bool>(false)
    /// Bit patterns of the card's rate error and its standard deviation, ppm; NaN while unknown.
    let devicePpmBits = Atomic<UInt64>(Double.nan.bitPattern)
    let devicePpmSigmaBits = Atomic<UInt64>(Double.nan.bitPattern)

    // MARK: To the other threads

    /// Since when the present group clock is followed, in host ns.
    let clockSince = Atomic<Int64>(0)

    /// Whether the card's clock and the group's are known well enough for sound to begin.
    func isSteady(_ estimate: ClockEstimate?, now: HostTime) -> Bool {
        let since = HostTime(nanoseconds: clockSince.load(ordering: .relaxed))
        return isDeviceSettled.load(ordering: .relaxed) && ClockPatience.isOver(estimate, since: since, now: now)
    }

    /// How far ahead a change must lie to be heard at its instant, in ns: what the device has been given already is out of
    /// reach, and so is what has to leave it earlier than it is heard.
    var changeLead: Int64 {
        deviceDepth.load(ordering: .relaxed) + 5_000_000 + max(0, outputDelay.load(ordering: .relaxed))
    }

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

    /// How far the sound was from its place.
    let history = RenderHistory()

    /// A figure stored as a bit pattern; nil while it is not a number.
    static func value(_ bits: borrowing Atomic<UInt64>) -> Double? {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        return value.isNaN ? nil : value
    }
}
