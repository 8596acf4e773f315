import Synchronization
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering

/// An output that renders nothing: it says what a card would, so that the speaker around it behaves to a sender as one
/// that sounds.
///
/// It belongs to the speaker's event loop, which calls `step` with each tick. What it says is right to within a tick;
/// who measures sync listens to a real speaker.
final class StillOutput: SoundOutput, @unchecked Sendable {
    // Unchecked: `stream`, `estimates` and `clock` guard themselves, and nothing else changes.

    let counters: RenderCounters
    let effects: RoomEffects
    let actual: OutputParameters? = OutputParameters(
        sampleRate: 48_000, channelCount: 2, sampleType: .int24, periodFrames: 480, bufferFrames: 2_400, name: "none",
        kind: .virtual)
    let trouble = ""

    private let stream: StreamBuffer
    private let estimates: ClockEstimateSlot
    private let clock: HostClock

    /// What has to be held for a stream to begin.
    private static let staged = MediaTime(frame: 150, sampleRate: 1_000)

    init(stream: StreamBuffer, estimates: ClockEstimateSlot, clock: HostClock) {
        (self.stream, self.estimates, self.clock) = (stream, estimates, clock)
        counters = RenderCounters()
        effects = RoomEffects(counters: counters)
        counters.devicePpmBits.store(0.0.bitPattern, ordering: .relaxed)
        counters.devicePpmSigmaBits.store(0.1.bitPattern, ordering: .relaxed)
    }

    func setWanted(_ isWanted: Bool) {
        counters.isWanted.store(isWanted, ordering: .relaxed)
        counters.isDeviceSettled.store(isWanted, ordering: .relaxed)
        if !isWanted { counters.audibleDecks.store(0, ordering: .relaxed) }
    }

    /// Does what a decode worker and a render thread have done by now.
    func step() {
        guard counters.isWanted.load(ordering: .relaxed) else { return }
        let now = stream.estimate(estimates)?.groupTime(at: clock.now())
        let (isDue, isHeld) = stream.state.withLock { state -> (Bool, Bool) in
            state.events = []
            guard let latest = state.timebase else { return (false, false) }
            // Playback goes on along the line before until the instant of the newest.
            let present = now.flatMap { state.timebase(at: $0) } ?? latest
            let isRunning = present.rate > 0 && now.map { present.groupTime.nanoseconds <= $0.nanoseconds } ?? false
            let place = now.flatMap { isRunning ? present.mediaTime(at: $0) : nil } ?? latest.mediaTime
            let isHeld = state.holds(from: place, until: isRunning ? place : place + Self.staged)
            if isHeld, let packet = state.store.packet(covering: place) { state.decodedFormat = packet.format }
            state.isStaged = isHeld
            if isRunning, isHeld { state.hasStarted = true }
            return (isRunning, isHeld)
        }
        let isStarved = isDue && !isHeld
        let wasSounding =
            counters.audibleDecks.load(ordering: .relaxed) > 0 && !counters.isStarved.load(ordering: .relaxed)
        if isStarved, wasSounding { counters.stalls.wrappingAdd(1, ordering: .relaxed) }
        counters.isStarved.store(isStarved, ordering: .relaxed)
        counters.audibleDecks.store(isDue ? 1 : 0, ordering: .relaxed)
    }
}
