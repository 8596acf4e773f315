import Glibc
import Synchronization
import Testing
import TuttiPlayback
import TuttiRealtime

@Suite("PCM ring")
struct PCMRingTests {
    private static func frames(_ range: Range<Int>) -> [Float] { range.flatMap { [Float($0), -Float($0)] } }

    @Test func capacityIsAPowerOfTwoAndBounded() {
        #expect(PCMRing(minimumFrames: 1).capacity == 256)
        #expect(PCMRing(minimumFrames: 257).capacity == 512)
    }

    @Test func aFullRingTakesNoMoreAndWrapsInTwoSpans() {
        let ring = PCMRing(minimumFrames: 256)
        #expect(ring.write(Self.frames(0..<300).span) == 256)
        #expect(ring.write(Self.frames(0..<1).span) == 0)
        ring.consume(200)
        #expect(ring.write(Self.frames(256..<356).span) == 100)
        #expect(ring.readIndex == 200 && ring.framesWritten == 356 && ring.readableFrames == 156)
        let first = Array(ring.readableSpan(limit: .max))
        ring.consume(first.count / 2)
        let second = Array(ring.readableSpan(limit: .max))
        #expect(first + second == Self.frames(200..<356))
        #expect(first.count == 2 * 56)
    }

    @Test func theReaderStepsBackOverRetainedFramesOnly() {
        let ring = PCMRing(minimumFrames: 256)
        ring.reset(retainedFrames: 50)
        _ = ring.write(Self.frames(0..<200).span)
        ring.consume(120)
        #expect(ring.oldestIndex == 70)
        #expect(ring.writableFrames == 256 - 130)
        #expect(ring.seek(to: 10) == 70)
        #expect(Array(ring.readableSpan(limit: 2)) == Self.frames(70..<72))
        #expect(ring.seek(to: 1_000) == 200)
        #expect(ring.readableSpan(limit: 5).isEmpty)
        #expect(ring.writeSilence(frames: 1_000) == 256 - 50)
        #expect(Array(ring.readableSpan(limit: 3)) == [0, 0, 0, 0, 0, 0])
    }

    @Test func whatIsTakenBackIsWrittenAnew() {
        let ring = PCMRing(minimumFrames: 256)
        _ = ring.write(Self.frames(0..<200).span)
        ring.consume(50)
        let isBack = ring.takeBack(from: 120, margin: 20)
        #expect(isBack)
        #expect(ring.framesWritten == 120 && ring.readableFrames == 70)
        #expect(ring.write(Self.frames(500..<900).span) == 256 - 70)
        ring.consume(70)
        #expect(Array(ring.readableSpan(limit: 3)) == Self.frames(500..<503))
    }

    /// To put it anywhere else without a word would move all that follows.
    @Test func whatIsNotThereOrHasBeenReadIsNotTakenBack() {
        let ring = PCMRing(minimumFrames: 256)
        _ = ring.write(Self.frames(0..<200).span)
        ring.consume(50)
        for frame in [Int64(-1), 3, 50, 69, 201, 1_000] {
            let isBack = ring.takeBack(from: frame, margin: 20)
            #expect(!isBack, "\(frame)")
        }
        #expect(ring.framesWritten == 200 && ring.readIndex == 50)
        let areBack = (ring.takeBack(from: 200, margin: 20), ring.takeBack(from: 70, margin: 20))
        #expect(areBack == (true, true))
        #expect(ring.framesWritten == 70)
    }

    @Test func twoThreadsSeeEveryFrameOnceAndInOrder() async {
        let box = RingBox()
        let total = 20_000
        async let sum: Bool = box.readAll(total)
        var next = 0
        while next < total {
            let chunk = Self.frames(next..<min(total, next + 97))
            next += box.ring.write(chunk.span)
            await Task.yield()
        }
        #expect(await sum)
    }
}

/// One ring for two tasks; Sendable since the ring is a lock-free queue for one reader and one writer.
private final class RingBox: @unchecked Sendable {
    let ring = PCMRing(minimumFrames: 256)

    func readAll(_ total: Int) async -> Bool {
        var expected = 0
        while expected < total {
            let span = ring.readableSpan(limit: 64)
            for index in 0..<span.count / 2 {
                guard span[2 * index] == Float(expected), span[2 * index + 1] == -Float(expected) else { return false }
                expected += 1
            }
            ring.consume(span.count / 2)
            await Task.yield()
        }
        return true
    }
}

@Suite("Memory of rings")
struct RingMemoryTests {
    /// Bytes of the ring's memory that the system holds.
    private static func residentBytes(_ ring: borrowing PCMRing) throws -> Int {
        let page = sysconf(Int32(_SC_PAGESIZE))
        let base = try #require(ring.readableSpan(limit: 1).baseAddress)
        let start = UnsafeMutableRawPointer(mutating: base)
        var pages = [UInt8](repeating: 0, count: ring.capacity * 8 / page)
        #expect(mincore(start, ring.capacity * 8, &pages) == 0)
        return pages.count { $0 & 1 != 0 } * page
    }

    @Test func memoryIsTakenByWhatIsWrittenAndGivenBack() throws {
        let ring = PCMRing(minimumFrames: 1 << 17)
        #expect(try Self.residentBytes(ring) == 0)
        let frames = [Float](repeating: 0.5, count: 2 << 13)
        #expect(ring.write(frames.span) == 1 << 13)
        #expect((1 << 16...1 << 17).contains(try Self.residentBytes(ring)))
        ring.giveBack()
        #expect(ring.framesWritten == 0 && ring.readableFrames == 0 && ring.writableFrames == 1 << 17)
        #expect(try Self.residentBytes(ring) == 0)
        #expect(ring.write(frames.span) == 1 << 13)
        #expect(Array(ring.readableSpan(limit: .max)) == frames)
    }
}

@Suite("Filters that are shared")
struct FilterSharingTests {
    @Test func resamplersOfTheSameRatesHaveOneFilter() {
        weak var kept: FilterTable?
        do {
            let first = FilterTable.shared(sourceRate: 44_100, outputRate: 48_003)
            #expect(FilterTable.shared(sourceRate: 44_100, outputRate: 48_003) === first)
            #expect(FilterTable.shared(sourceRate: 48_003, outputRate: 44_100) !== first)
            kept = first
        }
        // Nobody has it any more.
        #expect(kept == nil)
    }
}
