import CRuntimeWatch
import Glibc
import Logging
import Synchronization
import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiOutput
import TuttiPlayback
import TuttiRealtime
import TuttiRendering

/// The render thread's pass as a whole, under a real `Renderer`.
@Suite("Render path", .serialized)
struct RenderPathTests {
    private static let scale = TimescaleID(rawValue: 7)

    /// What the shell logs lies between two passes, and is no part of either.
    private struct ShellLog: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { runtime_watch_drop() }
    }

    /// A renderer on scripted cards, with a stream, an overlay and their workers.
    private final class Rig {
        let script = CardScript()
        let clock = HostClock()
        let estimates = ClockEstimateSlot()
        let stream = StreamBuffer(maximumBytes: 1 << 26)
        let overlay = StreamBuffer(maximumBytes: 1 << 24)
        let renderer: Renderer
        private let thread: ThreadHandle
        private let slots: [DecodeSlot]

        init() throws {
            let (script, clock, estimates) = (script, clock, estimates)
            let renderer = Renderer(
                request: OutputRequest(device: "card"), stream: stream, overlays: [overlay], clock: clock,
                estimates: estimates, correction: .on, remembered: nil, bell: try Bell(),
                logger: Logger(label: "test") { _ in ShellLog() }
            ) { _, clock throws(OutputError) in
                // The first card is stereo and exact, the one after the loss mono and coarse.
                switch script.attempts.wrappingAdd(1, ordering: .relaxed).newValue {
                case 1: return ScriptedCard(channels: 2, layout: .int16, step: 1, clock: clock, script: script)
                case 2: throw .lost(device: "card", code: ENODEV)
                default: return ScriptedCard(channels: 1, layout: .int32, step: 240, clock: clock, script: script)
                }
            }
            self.renderer = renderer
            slots = try [stream, overlay].map { stream in
                let slot = try DecodeThreads.shared.slot()
                slot.run { [counters = renderer.counters] in
                    DecodeWorker(
                        stream: stream, now: { clock.now() }, estimates: estimates, correction: .on,
                        counters: counters)
                }
                return slot
            }
            thread = try RealtimeThread.spawn(name: "test-render", priority: nil) { renderer.runLoop() }
            publishClock(offset: 0)
            renderer.setWanted(true)
        }

        func end() {
            renderer.stop()
            thread.join()
            for slot in slots { slot.leave() }
        }

        func publishClock(offset: Int64) {
            estimates.publish(
                ClockEstimate(
                    timescale: scale, referenceHost: clock.now(), offset: offset, drift: 0, offsetSigma: 100,
                    driftSigma: 1e-9))
        }

        /// Tenths of a second of sound at `rate` from `first` on.
        func insert(_ tenths: Range<Int64>, rate: Int, into stream: StreamBuffer) throws {
            let format = try #require(AudioFormat(codec: .pcm, sampleRate: rate, channelCount: 2, bitDepth: 16))
            for tenth in tenths {
                let packet = SampleBuffer(
                    format: format, presentationTime: MediaTime(frame: tenth, sampleRate: 10), frameCount: rate / 10,
                    data: Array(repeating: 17, count: rate / 10 * 4))
                #expect(stream.insert(try #require(packet)))
            }
            stream.signal()
        }

        /// `stream` is at `media` seconds half a second from now.
        func set(_ stream: StreamBuffer, rate: Double, at media: Int64) {
            let time = clock.now().advanced(byNanoseconds: 500_000_000)
            stream.set(
                Timebase(
                    rate: rate, mediaTime: MediaTime(frame: media, sampleRate: 1),
                    groupTime: GroupTime(nanoseconds: time.nanoseconds, timescale: scale)))
            stream.signal()
        }

        func eventually(_ what: Comment, _ condition: () -> Bool) async throws {
            for _ in 0..<1_500 {
                if condition() { return }
                for stream in [stream, overlay] { stream.signal() }
                for slot in slots { slot.wake() }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record(what)
        }

        func sounds(_ decks: Int = 1) async throws {
            try await eventually("\(decks) decks sound") {
                renderer.counters.audibleDecks.load(ordering: .relaxed) == decks
            }
        }

        func overlaySounds(_ isSounding: Bool) async throws {
            try await eventually("the overlay sounds: \(isSounding)") {
                (renderer.counters.soundingOverlays.load(ordering: .relaxed) != 0) == isSounding
            }
        }

        func xruns(_ count: Int) async throws {
            let counters = renderer.counters
            let before = counters.xruns.load(ordering: .relaxed)
            script.xruns.store(count, ordering: .relaxed)
            try await eventually("\(count) xruns") { counters.xruns.load(ordering: .relaxed) >= before + count }
        }
    }

    @Test(
        "the pass allocates nothing, takes no lock and counts no reference, whatever happens", .timeLimit(.minutes(3)))
    func wholePath() async {
        await #expect(processExitsWith: .success) {
            try #require(runtime_watch_install())
            let rig = try Rig()
            let counters = rig.renderer.counters
            try rig.insert(0..<20, rate: 48_000, into: rig.stream)
            try rig.insert(20..<400, rate: 44_100, into: rig.stream)
            try rig.insert(0..<8, rate: 48_000, into: rig.overlay)
            rig.set(rig.stream, rate: 1, at: 0)
            try await rig.sounds()
            counters.gainBits.store(Float(0.5).bitPattern, ordering: .relaxed)
            counters.outputDelay.store(2_000_000, ordering: .relaxed)
            rig.set(rig.overlay, rate: 1, at: 0)
            try await rig.overlaySounds(true)
            // Over the change of tracks at 2 s, a crossfade to where another clock has it, and a jump.
            try await rig.overlaySounds(false)
            for offset in [1_500_000, 120_000_000, 0] as [Int64] {
                rig.publishClock(offset: offset)
                try await Task.sleep(for: .milliseconds(300))
            }
            rig.stream.reference.isReference.store(true, ordering: .relaxed)
            try await Task.sleep(for: .milliseconds(300))
            try await rig.xruns(3)
            try await rig.sounds()
            // Nobody is waited for who holds what the others share.
            let held = rig.script.periods.load(ordering: .relaxed)
            rig.stream.state.withLock { _ in _ = usleep(300_000) }
            rig.overlay.state.withLock { _ in _ = usleep(100_000) }
            let played = rig.script.periods.load(ordering: .relaxed)
            #expect(played > held)
            rig.set(rig.stream, rate: 0, at: 8)
            try await rig.sounds(0)
            rig.set(rig.stream, rate: 1, at: 20)
            try await rig.sounds()
            _ = rig.stream.flush(from: MediaTime(frame: 24, sampleRate: 1))
            rig.script.isUnplugged.store(true, ordering: .relaxed)
            try await rig.eventually("the card is back") {
                rig.script.attempts.load(ordering: .relaxed) >= 3 && rig.renderer.trouble.isEmpty
            }
            rig.set(rig.stream, rate: 1, at: 10)
            try await rig.sounds()
            try await rig.xruns(2)
            try await rig.sounds()
            rig.end()
            runtime_watch_print()
            #expect(runtime_watch_count(runtime_watch_allocations) == 0)
            #expect(runtime_watch_count(runtime_watch_references) == 0)
            #expect(runtime_watch_count(runtime_watch_locks) == 0)

            runtime_watch_begin()
            let control = StreamBuffer(maximumBytes: 1 << 10)
            free(malloc(1_000))
            runtime_watch_end()
            #expect(control.state.withLock { !$0.hasStarted })
            #expect(runtime_watch_count(runtime_watch_allocations) > 1, "the watch works")
        }
    }
}
