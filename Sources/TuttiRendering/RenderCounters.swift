package import Synchronization
package import TuttiClock
package import TuttiCore
package import TuttiHost
package import TuttiRealtime

/// What the render thread tells the other threads, and what it is told: atomics only, so that neither side waits.
package final class RenderCounters: Sendable {
    /// Counters of a renderer that has not begun.
    ///
    /// - Parameter bell: rung when there is something new to tell of the sound.
    package init(bell: Bell? = nil) { self.bell = bell }

    private let bell: Bell?

    // MARK: From the render thread

    /// Times that the device ran dry.
    package let xruns = Atomic<Int>(0)
    /// Times that the audio ran out.
    package let stalls = Atomic<Int>(0)
    /// Decks that sounded in the last period.
    package let audibleDecks = Atomic<Int>(0)
    /// Whether the last period lacked audio that should have sounded.
    package let isStarved = Atomic<Bool>(false)
    /// A bit for each overlay that sounded in the last period, as in `RenderReport.soundingOverlays`.
    package let soundingOverlays = Atomic<UInt8>(0)
    /// How much the device holds at most, in ns.
    package let deviceDepth = Atomic<Int64>(50_000_000)
    /// Whether the card's clock is known well enough to start on.
    package let isDeviceSettled = Atomic<Bool>(false)
    /// Bit patterns of the card's rate error and its standard deviation, ppm; NaN while unknown.
    package let devicePpmBits = Atomic<UInt64>(Double.nan.bitPattern)
    package let devicePpmSigmaBits = Atomic<UInt64>(Double.nan.bitPattern)
    /// How far ahead of the output the decks play, for effects that are late, in ns.
    let effectLead = Atomic<Int64>(0)

    /// Takes what a period came to, and tells when that is news. RT.
    package func take(_ report: RenderReport) {
        let isStarved = report.underrunFrames > 0
        let isNews =
            report.stalls > 0 || audibleDecks.load(ordering: .relaxed) != report.audibleDecks
            || self.isStarved.load(ordering: .relaxed) != isStarved
            || soundingOverlays.load(ordering: .relaxed) != report.soundingOverlays
        guard isNews else { return }
        if report.stalls > 0 { stalls.wrappingAdd(report.stalls, ordering: .relaxed) }
        audibleDecks.store(report.audibleDecks, ordering: .relaxed)
        self.isStarved.store(isStarved, ordering: .relaxed)
        soundingOverlays.store(report.soundingOverlays, ordering: .relaxed)
        tell()
    }

    /// Nothing sounds any more.
    func takeSilence() {
        isDeviceSettled.store(false, ordering: .relaxed)
        audibleDecks.store(0, ordering: .relaxed)
        soundingOverlays.store(0, ordering: .relaxed)
        tell()
    }

    /// There is something new to tell. RT.
    func tell() { bell?.ring() }

    // MARK: To the other threads

    /// Since when the present group clock is followed, in host ns.
    package let clockSince = Atomic<Int64>(0)

    /// Whether the card's clock and the group's are known well enough for sound to begin.
    package func isSteady(_ estimate: ClockEstimate?, now: HostTime) -> Bool {
        isDeviceSettled.load(ordering: .relaxed) && isClockSteady(estimate, now: now)
    }

    /// Whether the group's clock is.
    package func isClockSteady(_ estimate: ClockEstimate?, now: HostTime) -> Bool {
        let since = HostTime(nanoseconds: clockSince.load(ordering: .relaxed))
        return SettlingTimeout.isOver(estimate, since: since, now: now)
    }

    /// How far ahead a change must lie to take effect at its instant, in ns. What the device has been given already is
    /// out of reach, and so are what has to leave it ahead of its instant and what effects have taken in.
    package var changeLead: Int64 {
        deviceDepth.load(ordering: .relaxed) + 5_000_000 + max(0, outputDelay.load(ordering: .relaxed))
            + effectDelay
    }

    /// How much earlier sound is wanted because of what it goes through, in ns.
    package var effectDelay: Int64 {
        max(effectLatency.load(ordering: .relaxed), effectLead.load(ordering: .relaxed))
    }

    // MARK: From the decode threads

    /// Nanoseconds that decoding has taken, and nanoseconds of sound that came of it.
    package let decoding = Atomic<Int64>(0)
    package let decoded = Atomic<Int64>(0)

    // MARK: To the render thread

    /// Bit pattern of the gain.
    package let gainBits = Atomic<UInt32>(Float(1).bitPattern)
    /// Milliseconds in which a new gain is reached.
    package let gainRampMilliseconds = Atomic<Int>(50)
    /// The output delay, in ns.
    package let outputDelay = Atomic<Int64>(0)
    /// How late the effects are that were set last, in ns.
    let effectLatency = Atomic<Int64>(0)
    /// Whether the device is wanted.
    package let isWanted = Atomic<Bool>(false)
    /// Whether the render thread shall end, whatever is wanted afterwards.
    package let isStopping = Atomic<Bool>(false)
    /// Whether the render thread keeps the device.
    var keepsDevice: Bool { isWanted.load(ordering: .relaxed) && !isStopping.load(ordering: .relaxed) }

    /// How far the sound was from its place.
    package let history = RenderHistory()

    /// A figure stored as a bit pattern; nil while it is not a number.
    package static func value(_ bits: borrowing Atomic<UInt64>) -> Double? {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        return value.isNaN ? nil : value
    }
}
