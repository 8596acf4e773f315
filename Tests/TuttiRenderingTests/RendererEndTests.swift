import Logging
import Synchronization
import TestSupport
import Testing
import TuttiClock
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRendering

@Suite struct RendererEndTests {
    /// Whoever looks after the device may do so once more before it hears of the end.
    @Test func aRendererThatWasStoppedEndsThoughItsDeviceIsWantedAgain() async throws {
        let hasEnded = Atomic<Bool>(false)
        let renderer = Renderer(
            request: OutputRequest(device: "null"), stream: StreamBuffer(maximumBytes: 1 << 20), clock: HostClock(),
            estimates: ClockEstimateSlot(), correction: .on, remembered: nil,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        renderer.setWanted(true)
        let thread = try RealtimeThread.spawn(name: "test-render", priority: nil) {
            renderer.runLoop()
            hasEnded.store(true, ordering: .relaxed)
        }
        defer {
            renderer.setWanted(false)
            thread.join()
        }
        for _ in 0..<1_000 where renderer.actual == nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(renderer.actual != nil)
        renderer.stop()
        renderer.setWanted(true)
        for _ in 0..<1_000 where !hasEnded.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(10)) }
        let isOver = hasEnded.load(ordering: .relaxed)
        #expect(isOver)
    }
}
