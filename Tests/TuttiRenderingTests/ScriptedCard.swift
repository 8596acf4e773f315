import CRuntimeWatch
import Glibc
import Synchronization
import TuttiCore
import TuttiHost
import TuttiOutput

/// What happens to the cards of a test, and what has happened.
final class CardScript: Sendable {
    /// Runs that are still to be cut short.
    let xruns = Atomic<Int>(0)
    /// Whether the card is unplugged with its next wake-up.
    let isUnplugged = Atomic<Bool>(false)
    /// Periods that all cards were given.
    let periods = Atomic<Int>(0)
    /// Cards that were asked for.
    let attempts = Atomic<Int>(0)
}

/// A card that runs with the host's clock, some ppm fast, and watches the thread that uses it: from the first wake-up
/// to the loss, and not while it waits.
final class ScriptedCard: OutputDevice {
    private static let bufferFrames = 2_400
    private static let periodFrames = 480
    private static let framesPerNanosecond = 48e-6 * (1 + 60e-6)

    let actual: OutputParameters
    let failure: OutputError? = .lost(device: "card", code: ENODEV)
    private(set) var wakePeriods = 1
    /// Frames by which the pointer moves at a time.
    private let step: Int64
    private let clock: HostClock
    private let script: CardScript
    private var began = HostTime(nanoseconds: 0)
    private var written: Int64 = 0
    private var generation: UInt32 = 0

    init(channels: Int, layout: SampleLayout, step: Int64, clock: HostClock, script: CardScript) {
        actual = OutputParameters(
            sampleRate: 48_000, channelCount: channels, sampleType: layout, periodFrames: Self.periodFrames,
            bufferFrames: Self.bufferFrames, name: "card", kind: .virtual)
        (self.step, self.clock, self.script) = (step, clock, script)
    }

    func start() throws(OutputError) { begin(silence: Self.bufferFrames) }

    func recover(silence: Int) throws(OutputError) { begin(silence: silence) }

    private func begin(silence: Int) {
        (began, written) = (clock.now(), Int64(silence))
        generation &+= 1
    }

    func setWakePeriods(_ periods: Int) { wakePeriods = periods }

    private func played(at time: HostTime) -> Int64 {
        Int64(Double(time.nanoseconds - began.nanoseconds) * Self.framesPerNanosecond) / step * step
    }

    func wait(timeoutNanoseconds: Int64) -> OutputWait {
        runtime_watch_end()
        if script.isUnplugged.exchange(false, ordering: .relaxed) { return .lost }
        defer { runtime_watch_begin() }
        if script.xruns.load(ordering: .relaxed) > 0 {
            script.xruns.wrappingSubtract(1, ordering: .relaxed)
            return .xrun
        }
        let wanted = Int64(wakePeriods * Self.periodFrames - Self.bufferFrames) + written
        while true {
            let played = played(at: clock.now())
            if played >= written { return .xrun }
            if played >= wanted { return .writable }
            usleep(500)
        }
    }

    func timing() -> OutputTiming? {
        let now = clock.now()
        let played = played(at: now)
        guard played < written else { return nil }
        return OutputTiming(
            hostTime: now, playedFrames: played, queuedFrames: written - played,
            writableFrames: Self.bufferFrames - Int(written - played), generation: generation, isDriverStamp: false,
            asking: 500)
    }

    func write(_ bytes: UnsafeRawBufferPointer, frames: Int) -> Int {
        written += Int64(frames)
        script.periods.wrappingAdd(1, ordering: .relaxed)
        return frames
    }

    func close() { runtime_watch_drop() }
}
