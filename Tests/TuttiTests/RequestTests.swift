import Synchronization
import TestSupport
import Testing
import Tutti

@Suite(.repeatedWhenDisturbed) struct RequestTests {
    /// Buffers of a quarter of a second, up to `seconds`.
    private func source(seconds: Int) -> @Sendable () -> SampleBuffer? {
        let next = Counter()
        return {
            let index = next.take()
            return index < 4 * seconds ? try? Material().buffer(index * 12_000..<(index + 1) * 12_000) : nil
        }
    }

    @Test func dataAreAskedForInTimeAndNilIsTheEnd() throws {
        let studio = try Studio(depth: .seconds(1))
        studio.renderer.requestMediaData(next: source(seconds: 5))
        try studio.synchronizer.setRate(1, time: .zero)
        let material = Material()
        let sound = try studio.render(5 * 48_000 + 9_600)
        #expect((0..<5 * 48_000).allSatisfy { sound[$0] == material.sample($0) })
        #expect(sound[(5 * 48_000)...].allSatisfy { $0 == 0 })
        #expect(studio.renderer.bufferingState.isPlaybackBufferFull)
    }

    @Test func noMoreIsAskedForThanTheRouteWants() throws {
        let studio = try Studio(depth: .seconds(2))
        studio.renderer.requestMediaData(next: source(seconds: 60))
        _ = try studio.render(480)
        #expect(studio.renderer.loadedTimeRanges == [TimeRange(start: .zero, end: milliseconds(2_000))])
        // A deeper route asks for more at once.
        try studio.renderer.setRoute(studio.output.route(depth: .seconds(20)))
        _ = try studio.render(480)
        #expect(studio.renderer.loadedTimeRanges == [TimeRange(start: .zero, end: milliseconds(20_000))])
        studio.renderer.stopRequestingMediaData()
        studio.renderer.flush()
        _ = try studio.render(48_000)
        #expect(studio.renderer.loadedTimeRanges.isEmpty)
    }

    @Test func aSequenceIsTakenAsThereIsRoom() async throws {
        let studio = try Studio(depth: .seconds(1))
        let (buffers, continuation) = AsyncStream<SampleBuffer>.makeStream()
        for index in 0..<12 { continuation.yield(try Material().buffer(index * 12_000..<(index + 1) * 12_000)) }
        continuation.finish()
        studio.renderer.requestMediaData(from: buffers)
        for _ in 0..<2_000 where studio.renderer.isReadyForMoreMediaData {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(studio.renderer.loadedTimeRanges.last?.end == milliseconds(1_000))
        try studio.synchronizer.setRate(1, time: .zero)
        let material = Material()
        for part in 0..<30 {
            let sound = try studio.render(4_800)
            #expect(sound.indices.allSatisfy { sound[$0] == material.sample($0 + part * 4_800) })
            for _ in 0..<2_000 where studio.renderer.isReadyForMoreMediaData && part < 20 {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func whatIsRefusedEndsTheRequestAndIsSaid() async throws {
        let studio = try Studio()
        let format = try #require(AudioFormat(codec: .flac, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        let calls = Counter()
        let events = studio.renderer.events
        studio.renderer.requestMediaData {
            _ = calls.take()
            return SampleBuffer(format: format, presentationTime: .zero, frameCount: 1, data: [0])
        }
        _ = try studio.render(48_000)
        #expect(calls.count == 1)
        var iterator = events.makeAsyncIterator()
        guard case .refused(.unsupportedFormat)? = await iterator.next() else {
            Issue.record("nothing was said")
            return
        }
    }

    @Test func aClientThatBringsNothingIsAskedAgainButNotWithoutEnd() throws {
        let studio = try Studio()
        let calls = Counter()
        studio.renderer.requestMediaDataWhenReady { _ = calls.take() }
        _ = try studio.render(48_000)
        #expect((50...101).contains(calls.count))
    }

    @Test func aBufferThatWasEmptyIsNotOnceWhatFollowsAHolePlays() async throws {
        let studio = try Studio()
        var states = studio.renderer.bufferingStates.makeAsyncIterator()
        try studio.renderer.enqueue(Material().buffer(0..<48_000))
        try studio.renderer.enqueue(Material().buffer(96_000..<480_000))
        #expect(await states.next()?.isPlaybackBufferEmpty == false)
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(72_000)
        #expect(await states.next()?.isPlaybackBufferEmpty == true)
        _ = try studio.render(30_000)
        let last = await states.next()
        #expect(last?.isPlaybackBufferEmpty == false && last?.isPlaybackLikelyToKeepUp == true)
    }

    @Test func observersAreCalledAtTheirFrames() throws {
        let studio = try Studio()
        let recorder = Recorder()
        let output = studio.output
        let periodic = try studio.synchronizer.addPeriodicTimeObserver(forInterval: milliseconds(250)) {
            recorder.note($0, output.sampleTime)
        }
        _ = try studio.synchronizer.addBoundaryTimeObserver(forTimes: [milliseconds(300)]) {
            recorder.note($0, output.sampleTime)
        }
        try studio.synchronizer.setRate(1, time: .zero)
        _ = try studio.render(40_000)
        #expect(recorder.notes.map(\.time) == [0, 250, 300, 500, 750].map(milliseconds))
        #expect(recorder.notes.map(\.frame) == [0, 12_000, 14_400, 24_000, 36_000])
        studio.synchronizer.removeTimeObserver(periodic)
        _ = try studio.render(40_000)
        #expect(recorder.notes.count == 5)
        #expect(throws: PlaybackError.invalidObserver) {
            try studio.synchronizer.addBoundaryTimeObserver(forTimes: []) { _ in }
        }
    }

    private final class Recorder: Sendable {
        private let list = Mutex([(time: MediaTime, frame: Int64)]())
        func note(_ time: MediaTime, _ frame: Int64) { list.withLock { $0.append((time, frame)) } }
        var notes: [(time: MediaTime, frame: Int64)] { list.withLock { $0 } }
    }
}
