import Testing
import TuttiCore

@Suite("Time ranges")
struct TimeRangeTests {
    private func range(_ start: Int64, _ end: Int64) -> TimeRange {
        TimeRange(start: MediaTime(frame: start, sampleRate: 1_000), end: MediaTime(frame: end, sampleRate: 1_000))
    }

    @Test("the end is outside")
    func halfOpen() {
        #expect(range(1, 3).contains(MediaTime(frame: 1, sampleRate: 1_000)))
        #expect(!range(1, 3).contains(MediaTime(frame: 3, sampleRate: 1_000)))
        #expect(range(3, 1).isEmpty)
    }

    @Test("intersections")
    func intersections() {
        #expect(range(0, 5).intersection(range(3, 9)) == range(3, 5))
        #expect(range(0, 5).intersection(range(5, 9)) == nil)
    }

    @Test("ranges that touch become one")
    func coalescing() {
        #expect([range(5, 7), range(0, 2), range(2, 4), range(9, 9)].coalesced() == [range(0, 4), range(5, 7)])
        let tolerance = MediaTime(frame: 1, sampleRate: 1_000)
        #expect([range(0, 2), range(3, 4), range(6, 7)].coalesced(tolerance: tolerance) == [range(0, 4), range(6, 7)])
        #expect([range(0, 9), range(2, 4)].coalesced() == [range(0, 9)])
    }
}
