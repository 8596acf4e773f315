import Foundation
import Synchronization
import Testing
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRendering

/// Programmes and lines that nobody would make who means well.
@Suite struct HostileStreamTests {
    private static let scale = TimescaleID(rawValue: 7)

    /// Packets of one frame, each of which begins half a frame before the one before it ends: nothing of it is left
    /// when its turn comes. Returns as many as there are sampling rates for which that can be said exactly enough.
    private static func overlapping(_ count: Int) throws -> [SampleBuffer] {
        let units = Int64(Int32.max)
        var packets: [SampleBuffer] = []
        var end: Int64 = 0
        for rate in 8_000..<192_000 where packets.count < count {
            // Half a frame, rounded up both here and where the store compares.
            guard units % Int64(2 * rate) >= Int64(rate) else { continue }
            let half = units / Int64(2 * rate) + 1
            let format = try #require(AudioFormat(codec: .pcm, sampleRate: rate, channelCount: 2, bitDepth: 16))
            let time = try #require(MediaTime(value: packets.isEmpty ? 0 : end - half, timescale: Int32.max))
            let packet = try #require(
                SampleBuffer(format: format, presentationTime: time, frameCount: 1, data: [1, 0, 1, 0]))
            end = packet.timeRange.end.converted(to: Int32.max).value
            packets.append(packet)
        }
        return packets
    }

    /// Something on a thread with as little stack as those have that decode.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
    }

    @Test func packetsOfWhichNothingIsLeftArePassedWithoutEnd() throws {
        let packets = try Self.overlapping(20_000)
        #expect(packets.count == 20_000)
        let stream = StreamBuffer(maximumBytes: 1 << 24)
        for packet in packets { #expect(stream.insert(packet)) }
        let estimates = ClockEstimateSlot()
        estimates.publish(Self.line(0))
        stream.set(Self.timebase(0))
        let box = Box(stream, estimates)
        onSmallStack { box.pass(times: 3) }
    }

    @Test(
        "lines and clocks at the ends of time do no harm",
        arguments: [Int64.min, -(1 << 61), -1, 0, 5_000_000_000, 1 << 61, .max], [-(1 << 61), 0, 1 << 61] as [Int64])
    func edges(group: Int64, offset: Int64) throws {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        let stream = StreamBuffer(maximumBytes: 1 << 24)
        for place in [0, 20, 90] as [Int64] {
            let time = MediaTime(frame: place * 48_000, sampleRate: 48_000)
            let packet = SampleBuffer(
                format: format, presentationTime: time, frameCount: 48_000, data: Array(repeating: 1, count: 192_000))
            #expect(stream.insert(try #require(packet)))
        }
        let estimates = ClockEstimateSlot()
        estimates.publish(Self.line(0))
        let box = Box(stream, estimates)
        stream.set(Self.timebase(0))
        box.pass(times: 3)
        estimates.publish(Self.line(offset))
        stream.set(Self.timebase(group))
        box.pass(times: 3)
        for from in [nil, MediaTime(frame: 20, sampleRate: 1), MediaTime(frame: 1, sampleRate: 48_000)] {
            _ = stream.flush(from: from)
            box.pass(times: 2)
        }
        stream.set(Self.timebase(0 &- group &- 1, at: MediaTime(frame: 19, sampleRate: 1)))
        box.pass(times: 2)
        stream.setEnd(.zero)
        box.pass(times: 2)
    }

    @Test func eventsThatNobodyTakesDoNotPileUp() {
        let stream = StreamBuffer(maximumBytes: 1 << 20)
        for number in 0..<10_000 as Range<Int64> {
            stream.set(Self.timebase(number))
            _ = stream.flush(from: nil)
            stream.setEnd(MediaTime(frame: number, sampleRate: 1))
        }
        let events = stream.state.withLock(\.events)
        #expect(events.count <= 257)
        let line = events.compactMap { event in if case .timebase(let line) = event { line } else { nil } }.last
        #expect(line == Self.timebase(9_999), "the last word counts")
    }

    private static func timebase(_ group: Int64, at media: MediaTime = .zero) -> Timebase {
        Timebase(rate: 1, mediaTime: media, groupTime: GroupTime(nanoseconds: group, timescale: scale))
    }

    private static func line(_ offset: Int64) -> ClockEstimate {
        ClockEstimate(
            timescale: scale, referenceHost: HostTime(nanoseconds: 0), offset: offset, drift: 0, offsetSigma: 0,
            driftSigma: 0)
    }

    /// A worker with its decks, of which one thread at a time makes use.
    private final class Box: @unchecked Sendable {
        private let worker: DecodeWorker

        init(_ stream: StreamBuffer, _ estimates: ClockEstimateSlot) {
            let counters = RenderCounters()
            counters.isDeviceSettled.store(true, ordering: .relaxed)
            worker = DecodeWorker(
                stream: stream, now: { HostTime(nanoseconds: 1_000_000_000) }, estimates: estimates,
                correction: .on, counters: counters)
            stream.replaceDecks(DeckPair(outputRate: 48_000))
        }

        func pass(times: Int) { for _ in 0..<times { worker.pass() } }
    }
}
