import Synchronization
import Testing
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime
import TuttiRendering

/// Workers that share threads.
@Suite struct DecodeThreadsTests {
    private static let scale = TimescaleID(rawValue: 7)
    private static let second: Int64 = 1_000_000_000

    /// A worker with two seconds of sound to decode, which is to start in a quarter of an hour.
    private struct Job {
        let stream: StreamBuffer
        let decks = DeckPair(outputRate: 48_000)
        let slot: DecodeSlot

        init(_ threads: DecodeThreads) throws {
            let slot = try threads.slot()
            self.slot = slot
            stream = StreamBuffer(maximumBytes: 1 << 24, onSignal: { [weak slot] in slot?.wake() })
        }

        func worker() -> DecodeWorker { Self.worker(stream) }

        static func worker(_ stream: StreamBuffer) -> DecodeWorker {
            let estimates = ClockEstimateSlot()
            estimates.publish(
                ClockEstimate(
                    timescale: scale, referenceHost: HostTime(nanoseconds: 0), offset: 0, drift: 0, offsetSigma: 0,
                    driftSigma: 0))
            return DecodeWorker(
                stream: stream, now: { HostTime(nanoseconds: second) }, estimates: estimates, correction: .on,
                counters: RenderCounters())
        }

        func run() { slot.run { [stream] in Self.worker(stream) } }

        func play() throws {
            stream.replaceDecks(decks)
            let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
            for tenth in 0..<20 {
                let packet = try #require(
                    SampleBuffer(
                        format: format, presentationTime: MediaTime(frame: Int64(tenth), sampleRate: 10),
                        frameCount: 4_800, data: Array(repeating: 1, count: 19_200)))
                #expect(stream.insert(packet))
            }
            stream.set(
                Timebase(
                    rate: 1, mediaTime: .zero, groupTime: GroupTime(nanoseconds: 1_000 * second, timescale: scale)))
        }
    }

    private func eventually(_ condition: () -> Bool) async throws -> Bool {
        for _ in 0..<500 {
            if condition() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func thereAreAsManyThreadsAsWorkersUpToALimit() throws {
        let threads = DecodeThreads(maximum: 3)
        var slots: [DecodeSlot] = []
        for count in 1...7 {
            slots.append(try threads.slot())
            #expect(threads.count == min(count, 3))
        }
        slots[0].leave()
        slots[0].leave()
        // Its thread has two more, or one.
        #expect(threads.count == 3)
        slots = []
        #expect(threads.count == 0)
        // Others come, on new threads.
        let slot = try threads.slot()
        #expect(threads.count == 1)
        slot.leave()
        #expect(threads.count == 0)
    }

    @Test func allWorkersOfAThreadDecodeAndThoseThatLeaveDoNot() async throws {
        let threads = DecodeThreads(maximum: 1)
        let jobs = try (0..<8).map { _ in try Job(threads) }
        for job in jobs { job.run() }
        for job in jobs.dropLast() { try job.play() }
        #expect(try await eventually { jobs.dropLast().allSatisfy { $0.decks.first.framesWritten == 96_000 } })
        let last = try #require(jobs.last)
        last.slot.leave()
        try last.play()
        try await Task.sleep(for: .milliseconds(100))
        #expect(last.decks.first.state == .idle)
        #expect(threads.count == 1)
        for job in jobs { job.slot.leave() }
        #expect(threads.count == 0)
    }

    /// Whoever waits for the thread does not wait for two seconds of somebody else's sound.
    @Test func aTurnIsAQuarterOfASecond() throws {
        let threads = DecodeThreads(maximum: 1)
        let job = try Job(threads)
        let worker = job.worker()
        try job.play()
        var written: [Int64] = []
        for _ in 0..<12 {
            worker.pass()
            written.append(job.decks.first.framesWritten)
        }
        #expect(written.last == 96_000)
        // What was staged, and a turn; a packet is a tenth of a second.
        #expect((written.first ?? 0) <= 48_000)
        for (before, after) in zip(written, written.dropFirst()) { #expect(after - before <= 16_800) }
    }

    @Test func whatLiesBehindThePlayheadIsKeptForAsLongAsIsSaid() throws {
        let threads = DecodeThreads(maximum: 1)
        let job = try Job(threads)
        try job.play()
        let other = StreamBuffer(maximumBytes: 1 << 24, history: MediaTime(frame: 1, sampleRate: 2))
        for packet in job.stream.state.withLock({ $0.store.packets(from: .zero) }) { #expect(other.insert(packet)) }
        let playhead = MediaTime(frame: 3, sampleRate: 2)
        job.stream.trim(playhead: playhead)
        other.trim(playhead: playhead)
        #expect(job.stream.state.withLock { $0.store.first?.presentationTime } == .zero)
        #expect(other.state.withLock { $0.store.first?.presentationTime } == MediaTime(frame: 1, sampleRate: 1))
    }

    /// A deck that has played out, or was given up, keeps no memory and is programmed again.
    @Test func aDeckThatIsNotUsedHoldsNothing() throws {
        let threads = DecodeThreads(maximum: 1)
        let job = try Job(threads)
        let worker = job.worker()
        try job.play()
        for _ in 0..<12 { worker.pass() }
        #expect(job.decks.first.framesWritten == 96_000)
        job.stream.clear()
        worker.pass()
        // The render thread, of which there is none, would end it.
        job.decks.first.resetAfterRenderThreadStopped()
        worker.pass()
        #expect(job.decks.first.framesWritten == 0)
        try job.play()
        for _ in 0..<12 { worker.pass() }
        #expect(job.decks.first.framesWritten + job.decks.second.framesWritten == 96_000)
    }
}
