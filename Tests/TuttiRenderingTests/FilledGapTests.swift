import Synchronization
import Testing
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime
import TuttiRendering

/// A start that waits behind a gap.
@Suite struct FilledGapTests {
    private static let scale = TimescaleID(rawValue: 7)
    private static let second: Int64 = 1_000_000_000

    private static func packets(_ halves: Range<Int64>) throws -> [SampleBuffer] {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        return try halves.map { half in
            try #require(
                SampleBuffer(
                    format: format, presentationTime: MediaTime(frame: half * 24_000, sampleRate: 48_000),
                    frameCount: 24_000, data: Array(repeating: 1, count: 96_000)))
        }
    }

    @Test func noDeckIsBoundToAStartBehindAGapAndWhatFillsItBeginsBeforeThat() throws {
        let stream = StreamBuffer(maximumBytes: 1 << 24)
        let (estimates, decks) = (ClockEstimateSlot(), DeckPair(outputRate: 48_000))
        estimates.publish(
            ClockEstimate(
                timescale: Self.scale, referenceHost: HostTime(nanoseconds: 0), offset: 0, drift: 0, offsetSigma: 0,
                driftSigma: 0))
        let counters = RenderCounters()
        let worker = DecodeWorker(
            stream: stream, now: { HostTime(nanoseconds: Self.second) }, estimates: estimates, correction: .on,
            counters: counters)
        stream.replaceDecks(decks)
        for packet in try Self.packets(10..<14) { #expect(stream.insert(packet)) }
        let start = MediaTime(frame: 9, sampleRate: 2)
        stream.set(
            Timebase(
                rate: 1, mediaTime: start, groupTime: GroupTime(nanoseconds: 10 * Self.second, timescale: Self.scale)))
        for _ in 0..<3 { worker.pass() }
        #expect(decks.first.state == .idle && decks.second.state == .idle)
        for packet in try Self.packets(9..<10) { #expect(stream.insert(packet)) }
        for _ in 0..<3 { worker.pass() }
        #expect(decks.first.state != .idle)
        #expect(stream.state.withLock { $0.isStaged })
    }
}
