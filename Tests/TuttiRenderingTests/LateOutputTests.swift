import Synchronization
import Testing
import TuttiClock
import TuttiCore
import TuttiPlayback
import TuttiRealtime
import TuttiRendering

/// Edits of what an output that is heard two seconds late plays: its render thread reads that much further ahead.
@Suite struct LateOutputTests {
    private static let scale = TimescaleID(rawValue: 7)
    private static let second: Int64 = 1_000_000_000
    private static let delay = 2 * second
    private static let period = 480

    /// A worker and what it feeds, in a time that is set.
    private final class Bench {
        let stream = StreamBuffer(maximumBytes: 1 << 24)
        let decks = DeckPair(outputRate: 48_000)
        let counters = RenderCounters()
        let worker: DecodeWorker
        private var kernel: RenderKernel
        private var rendered: Int64 = 0
        private var output = [Float](repeating: 0, count: 2 * LateOutputTests.period)
        /// What left for each frame of the stream, from the first on.
        private(set) var sound: [Float] = []

        init() {
            let (estimates, box) = (ClockEstimateSlot(), Box())
            estimates.publish(
                ClockEstimate(
                    timescale: scale, referenceHost: HostTime(nanoseconds: 0), offset: 0, drift: 0, offsetSigma: 0,
                    driftSigma: 0))
            counters.outputDelay.store(delay, ordering: .relaxed)
            counters.isDeviceSettled.store(true, ordering: .relaxed)
            worker = DecodeWorker(
                stream: stream, now: { HostTime(nanoseconds: box.time.load(ordering: .relaxed)) },
                estimates: estimates, correction: .on, counters: counters)
            kernel = RenderKernel(decks: decks.first, decks.second, maximumPeriodFrames: LateOutputTests.period)
            self.box = box
            stream.replaceDecks(decks)
        }

        private let box: Box

        /// Packets of half a second whose samples say where they belong, on a ramp of their own.
        func insert(_ halves: Range<Int64>, sign: Int64) throws {
            let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
            for half in halves {
                var bytes: [UInt8] = []
                for frame in half * 24_000..<half * 24_000 + 24_000 {
                    let value = UInt16(bitPattern: Int16(sign * LateOutputTests.level(frame)))
                    for _ in 0..<2 { bytes += [UInt8(value & 255), UInt8(value >> 8)] }
                }
                let packet = SampleBuffer(
                    format: format, presentationTime: MediaTime(frame: half * 24_000, sampleRate: 48_000),
                    frameCount: 24_000, data: bytes)
                #expect(stream.insert(try #require(packet)))
            }
        }

        /// Lets time pass until `end`, the card always being fed what is heard two seconds later.
        func run(until end: Int64) {
            while box.time.load(ordering: .relaxed) < end {
                let now = box.time.add(10_000_000, ordering: .relaxed).newValue
                worker.pass()
                // Group time and stream begin together at ten seconds.
                while 10 * second + rendered * 1_000_000_000 / 48_000 < now + delay + 40_000_000 {
                    let period = RenderPeriod(
                        frameCount: LateOutputTests.period,
                        groupNanoseconds: 10 * second + rendered * 1_000_000_000 / 48_000, groupFraction: 0,
                        groupNanosecondsPerFrame: 1e9 / 48_000)
                    output.withUnsafeMutableBufferPointer { samples in
                        if let base = samples.baseAddress { _ = kernel.render(period, into: base) }
                    }
                    for frame in 0..<LateOutputTests.period { sound.append(output[2 * frame]) }
                    rendered += Int64(LateOutputTests.period)
                }
            }
        }
    }

    private final class Box: Sendable {
        let time = Atomic<Int64>(second)
    }

    /// A slow ramp up and down, so that a frame's neighbours are like it and those 10 ms away are not.
    private static func level(_ frame: Int64) -> Int64 {
        let place = frame % 96_000
        return 4_000 + (place < 48_000 ? place : 96_000 - place) / 2
    }

    @Test(arguments: [1_600, 2_020, 2_120, 2_500] as [Int64])
    func whatIsReplacedAfterItHasBeenReadComesLaterAndOnItsFrame(milliseconds: Int64) throws {
        let bench = Bench()
        try bench.insert(0..<20, sign: 1)
        bench.stream.set(
            Timebase(
                rate: 1, mediaTime: .zero, groupTime: GroupTime(nanoseconds: 10 * Self.second, timescale: Self.scale)))
        bench.run(until: 12 * Self.second)
        // What follows from `place` on is another thing now.
        let place = 2 * 48_000 + milliseconds * 48
        _ = bench.stream.flush(from: MediaTime(frame: place, sampleRate: 48_000))
        let half = place / 24_000
        try bench.insert(half + 1..<20, sign: -1)
        bench.run(until: 17 * Self.second)

        let read = Int64(2 * 48_000 + 2_040 * 48)
        var first: Int?
        var (wrong, replaced): ([Int64], [Int64]) = ([], [])
        for frame in 1_000..<Int64(bench.sound.count) - 1_000 {
            let value = bench.sound[Int(frame)]
            let belongs = Float(Self.level(frame)) / 32_768
            if first == nil, value < -0.01 { first = Int(frame) }
            // Each sound at its own frame, whichever it is; fades go to silence and come from there.
            let isFading = first.map { Int(frame) <= $0 + 2_400 } ?? true
            if abs(value) > belongs + 0.002 || !isFading && abs(value + belongs) >= 0.002 { wrong.append(frame) }
            if value > 0.01, frame >= max(read, place) + 2_400 { replaced.append(frame) }
        }
        #expect(first != nil)
        #expect(wrong.isEmpty, "\(wrong.count) frames from \(wrong.first ?? 0) on are at another's place")
        #expect(replaced.isEmpty, "\(replaced.count) frames from \(replaced.first ?? 0) on are of what was replaced")
    }
}
