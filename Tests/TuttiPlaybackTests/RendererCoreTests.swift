import Testing
import TuttiCore
import TuttiPlayback

private func host(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
private func media(_ milliseconds: Int64) -> MediaTime { MediaTime(frame: milliseconds, sampleRate: 1_000) }

private func buffer(_ start: Int64, _ length: Int) throws -> SampleBuffer {
    let format = try #require(AudioFormat(codec: .pcm, sampleRate: 8_000, channelCount: 1, bitDepth: 16))
    return try #require(
        SampleBuffer(
            format: format, presentationTime: media(start), frameCount: length * 8,
            data: [UInt8](repeating: 0, count: length * 16)))
}

/// Playing since host time 0 from media time 0.
private func playing() throws -> HostTimeline {
    var timeline = HostTimeline(now: host(0))
    try timeline.set(rate: 1, time: .zero, at: host(0), now: host(0))
    return timeline
}

/// A core by reference, which expectations can ask.
private final class Holder {
    private var core: RendererCore

    init(_ core: RendererCore) { self.core = core }

    var loadedTimeRanges: [TimeRange] { core.loadedTimeRanges }
    var end: MediaTime? { core.end }
    func setTraits(_ traits: RouteTraits) { core.setTraits(traits) }
    func buffers(from time: MediaTime) -> [SampleBuffer] { core.buffers(from: time) }
    func finish() -> [RendererCore.Effect] { core.finish() }

    func enqueue(_ buffer: SampleBuffer, timeline: HostTimeline, now: HostTime) throws -> [RendererCore.Effect] {
        try core.enqueue(buffer, timeline: timeline, now: now)
    }

    func isReady(timeline: HostTimeline, now: HostTime) -> Bool { core.isReady(timeline: timeline, now: now) }

    func deadline(timeline: HostTimeline, now: HostTime) -> HostTime? { core.deadline(timeline: timeline, now: now) }

    func secondsAhead(timeline: HostTimeline, now: HostTime) -> Double {
        core.secondsAhead(timeline: timeline, now: now)
    }

    func bufferingState(timeline: HostTimeline, now: HostTime) -> BufferingState {
        core.bufferingState(timeline: timeline, now: now)
    }

    func bufferingDeadline(timeline: HostTimeline, now: HostTime) -> HostTime? {
        core.bufferingDeadline(timeline: timeline, now: now)
    }

    func isFlushable(from time: MediaTime, timeline: HostTimeline, now: HostTime) -> Bool {
        core.isFlushable(from: time, timeline: timeline, now: now)
    }

    func flush(from time: MediaTime, timeline: HostTimeline, now: HostTime) -> [RendererCore.Effect]? {
        core.flush(from: time, timeline: timeline, now: now)
    }
}

@Suite struct RendererCoreTests {
    let traits = RouteTraits(depth: 4, flushMargin: 100_000_000)

    @Test func itAsksUntilTheDepthIsReachedAndAgainWhenAQuarterIsGone() throws {
        let core = Holder(RendererCore(traits: traits))
        let timeline = try playing()
        #expect(core.isReady(timeline: timeline, now: host(0)))
        for second in 0..<4 {
            #expect(core.isReady(timeline: timeline, now: host(0)))
            _ = try core.enqueue(buffer(Int64(second) * 1_000, 1_000), timeline: timeline, now: host(0))
        }
        #expect(!core.isReady(timeline: timeline, now: host(0)))
        #expect(core.deadline(timeline: timeline, now: host(0)) == host(1_000))
        #expect(!core.isReady(timeline: timeline, now: host(990)))
        #expect(core.isReady(timeline: timeline, now: host(1_000)))
        // A route of minutes asks at once.
        core.setTraits(RouteTraits(depth: 300, flushMargin: 0))
        #expect(core.isReady(timeline: timeline, now: host(0)))
    }

    @Test func whatIsHeldCountsWhileThePlayheadStandsStill() throws {
        let core = Holder(RendererCore(traits: traits))
        let timeline = HostTimeline(now: host(0))
        for second in 0..<4 {
            _ = try core.enqueue(buffer(60_000 + Int64(second) * 1_000, 1_000), timeline: timeline, now: host(0))
        }
        #expect(!core.isReady(timeline: timeline, now: host(0)))
        #expect(core.deadline(timeline: timeline, now: host(0)) == nil)
    }

    @Test(arguments: [(49, false), (99, false), (100, true), (2_500, true)])
    func aFlushIsRefusedTooCloseToThePlayhead(ahead: Int64, isAccepted: Bool) throws {
        let core = Holder(RendererCore(traits: traits))
        let timeline = try playing()
        _ = try core.enqueue(buffer(0, 4_000), timeline: timeline, now: host(0))
        let effects = core.flush(from: media(1_000 + ahead), timeline: timeline, now: host(1_000))
        #expect((effects != nil) == isAccepted)
        #expect(core.loadedTimeRanges.last?.end == (isAccepted ? media(1_000 + ahead) : media(4_000)))
    }

    @Test func aPausedProgrammeGivesEverythingBackAndAScheduledStartCountsFromItsInstant() throws {
        let core = Holder(RendererCore(traits: traits))
        var timeline = HostTimeline(now: host(0))
        _ = try core.enqueue(buffer(0, 4_000), timeline: timeline, now: host(0))
        #expect(core.isFlushable(from: .zero, timeline: timeline, now: host(0)))
        try timeline.set(rate: 1, time: media(2_000), at: host(150), now: host(0))
        #expect(core.isFlushable(from: media(500), timeline: timeline, now: host(0)))
        #expect(!core.isFlushable(from: media(500), timeline: timeline, now: host(60)))
        #expect(core.isFlushable(from: media(2_060), timeline: timeline, now: host(60)))
    }

    @Test func badBuffersAreRefusedAndNothingChanges() throws {
        let core = Holder(RendererCore(traits: traits, maximumBytes: 20_000))
        let timeline = HostTimeline(now: host(0))
        #expect(throws: PlaybackError.negativeTime(media(-1))) {
            try core.enqueue(buffer(-1, 100), timeline: timeline, now: host(0))
        }
        _ = try core.enqueue(buffer(0, 1_000), timeline: timeline, now: host(0))
        // Three quarters of the bytes are where it stops asking.
        #expect(!core.isReady(timeline: timeline, now: host(0)))
        #expect(throws: PlaybackError.bufferFull) {
            try core.enqueue(buffer(1_000, 1_000), timeline: timeline, now: host(0))
        }
        #expect(core.loadedTimeRanges == [TimeRange(start: .zero, end: media(1_000))])
    }

    @Test func theEndIsKnownUntilMoreComesOrItIsCutOff() throws {
        let core = Holder(RendererCore(traits: traits))
        let timeline = HostTimeline(now: host(0))
        _ = try core.enqueue(buffer(0, 1_000), timeline: timeline, now: host(0))
        #expect(core.finish() == [.setEnd(media(1_000))])
        #expect(core.bufferingState(timeline: timeline, now: host(0)).isPlaybackBufferFull)
        _ = try core.enqueue(buffer(1_000, 100), timeline: timeline, now: host(0))
        #expect(core.end == nil)
        _ = core.finish()
        #expect(core.flush(from: media(500), timeline: timeline, now: host(0)) == [.flush(from: media(500))])
        #expect(core.end == nil)
    }

    @Test func whatIsBehindThePlayheadIsForgotten() throws {
        let core = Holder(RendererCore(traits: traits))
        let timeline = try playing()
        for second in 0..<8 {
            _ = try core.enqueue(buffer(Int64(second) * 1_000, 1_000), timeline: timeline, now: host(0))
        }
        #expect(core.secondsAhead(timeline: timeline, now: host(5_500)) == 2.5)
        #expect(core.buffers(from: .zero).map(\.presentationTime) == [5_000, 6_000, 7_000].map(media))
    }

    @Test func bufferingIsJudgedAtThePlayhead() throws {
        let core = Holder(RendererCore(traits: traits))
        let timeline = try playing()
        #expect(core.bufferingState(timeline: timeline, now: host(0)).isPlaybackBufferEmpty)
        for second in 0..<4 {
            _ = try core.enqueue(buffer(Int64(second) * 1_000, 1_000), timeline: timeline, now: host(0))
        }
        let full = core.bufferingState(timeline: timeline, now: host(0))
        #expect(full.isPlaybackBufferFull && full.isPlaybackLikelyToKeepUp && !full.isPlaybackBufferEmpty)
        #expect(core.bufferingDeadline(timeline: timeline, now: host(0))?.nanoseconds == 2_000_000_001)
        let low = core.bufferingState(timeline: timeline, now: host(2_001))
        #expect(!low.isPlaybackBufferFull && !low.isPlaybackLikelyToKeepUp && !low.isPlaybackBufferEmpty)
        #expect(core.bufferingState(timeline: timeline, now: host(4_000)).isPlaybackBufferEmpty)
    }
}
