import Glibc
import Logging
import Synchronization
import TestSupport
import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering

/// Devices that open and take nothing, and such as are not there at all.
@Suite(.repeatedWhenDisturbed) struct FailingDeviceTests {
    /// A device that is lost with the first period written, as a file on a full disk is.
    private final class FullDisk: OutputDevice {
        let card: any OutputDevice
        let failure: OutputError? = FailingDeviceTests.loss
        /// As on a machine that is busy, it takes so many microseconds to say where it stands the first times.
        private static let slowness: (calls: Int, time: UInt32) = (4, 150_000)
        private let calls = Atomic<Int>(0)
        var actual: OutputParameters { card.actual }

        init(_ card: any OutputDevice) { self.card = card }

        var wakePeriods: Int { card.wakePeriods }
        var sleeper: any OutputSleeper { card.sleeper }

        func start() throws(OutputError) { try card.start() }
        func setWakePeriods(_ periods: Int) { card.setWakePeriods(periods) }
        func wait(timeoutNanoseconds: Int64) -> OutputWait { card.wait(timeoutNanoseconds: timeoutNanoseconds) }
        func timing() -> OutputTiming? {
            let call = calls.wrappingAdd(1, ordering: .relaxed).oldValue
            if call < Self.slowness.calls { usleep(Self.slowness.time) }
            return card.timing()
        }
        func write(_ bytes: UnsafeRawBufferPointer, frames: Int) -> Int { OutputWait.lost.rawValue }
        func recover(silence: Int) throws(OutputError) { try card.recover(silence: silence) }
        func close() { card.close() }
    }

    /// What a renderer does with its device.
    private final class Stage: Sendable {
        let isFull = Atomic<Bool>(true)
        let attempts = Atomic<Int>(0)
        let events = Mutex([OutputSessionEvent]())
    }

    static let loss = OutputError.lost(device: "disk", code: ENOSPC)

    private func render(isThere: Bool, milliseconds: Int, then: (Stage) async throws -> Void) async throws {
        let stage = Stage()
        let renderer = Renderer(
            request: OutputRequest(device: "null"), stream: StreamBuffer(maximumBytes: 1 << 20), clock: HostClock(),
            estimates: ClockEstimateSlot(), correction: .on, remembered: nil,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { request, clock throws(OutputError) in
            // The stand-in is opened elsewhere.
            stage.attempts.wrappingAdd(1, ordering: .relaxed)
            let isFull = stage.isFull.load(ordering: .relaxed)
            guard isThere || !isFull else { throw FailingDeviceTests.loss }
            let card = try OutputDevices.open(request, clock: clock)
            return isFull ? FullDisk(card) : card
        }
        // Taken before anything happens: a task begins when its turn comes.
        let events = renderer.session.events
        renderer.setWanted(true)
        let thread = try RealtimeThread.spawn(name: "test-render", priority: nil) { renderer.runLoop() }
        let watcher = Task {
            for await event in events { stage.events.withLock { $0.append(event) } }
        }
        defer {
            renderer.stop()
            thread.join()
            watcher.cancel()
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
        // Beside tests that only compute, events come when their turn does.
        for _ in 0..<2_000 where stage.events.withLock({ !$0.contains(.interruptionBegan(Self.loss)) }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        try await then(stage)
    }

    @Test(arguments: [true, false]) func itIsTriedOnceASecondAndInterruptedOnce(isThere: Bool) async throws {
        let began = ContinuousClock.now
        try await render(isThere: isThere, milliseconds: 2_500) { stage in
            let attempts = stage.attempts.load(ordering: .relaxed)
            let seconds = Int((ContinuousClock.now - began) / .seconds(1))
            #expect((2...seconds + 2).contains(attempts), "\(attempts) in \(seconds) s")
            #expect(stage.events.withLock { $0.filter { $0 == .interruptionBegan(Self.loss) }.count } == 1)
            #expect(!stage.events.withLock { $0.contains(.interruptionEnded) })
            // However often it is tried, that is no news: a listener that is slow would miss what matters.
            #expect(stage.events.withLock { $0.count } <= 2)
            stage.isFull.store(false, ordering: .relaxed)
            for _ in 0..<500 where !stage.events.withLock({ $0.contains(.interruptionEnded) }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(stage.events.withLock { $0.last } == .interruptionEnded)
        }
    }
}
