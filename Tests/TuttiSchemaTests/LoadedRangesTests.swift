import Testing
import TuttiCore
import TuttiSchema

@Suite struct LoadedRangesTests {
    private func seconds(_ seconds: Double) throws -> MediaTime {
        try #require(MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000))
    }

    @Test func pairsOfSecondsAreReadAndWritten() throws {
        let line = "[[-2.5,0],[10,312.25]]"
        let loaded: LoadedRanges = try #require(JSONLine.decode(line.utf8))
        #expect(loaded.ranges.map(\.start) == [try seconds(-2.5), try seconds(10)])
        #expect(loaded.end == (try seconds(312.25)))
        #expect(String(decoding: JSONLine.encode(loaded), as: UTF8.self) == line)
    }

    @Test(arguments: ["[[1]]", "[[1,2,3]]", "[[2,1]]", "[[0,1e15]]", "[[0,1e300]]", "[1]", "{}"])
    func whatIsNoPairOfSecondsIsNone(line: String) {
        let loaded: LoadedRanges? = JSONLine.decode(line.utf8)
        #expect(loaded == nil)
    }

    @Test func numbersThatAreNoneAreNoPair() {
        #expect(LoadedRanges(seconds: [[.nan, 1]]) == nil && LoadedRanges(seconds: [[0, .infinity]]) == nil)
        #expect(LoadedRanges(seconds: [])?.isEmpty == true)
    }

    @Test func otherScalesAreExactAtRateOne() throws {
        let frames = TimeRange(
            start: MediaTime(frame: 44_100, sampleRate: 44_100), end: MediaTime(frame: 100_001, sampleRate: 44_100))
        let origin = MediaTime(frame: 22_050, sampleRate: 44_100)
        let moved = LoadedRanges([frames]).rescaled(origin: origin, rate: 1)
        #expect(moved.ranges == [TimeRange(start: frames.start - origin, end: frames.end - origin)])
        #expect(LoadedRanges([frames]).rescaled(origin: origin, rate: 2).seconds[0][0] == 1)
    }

    @Test func whatIsAheadOfAPlaceIsCounted() throws {
        let loaded = try #require(LoadedRanges(seconds: [[0, 5], [10, 30]]))
        #expect(loaded.seconds(ahead: 4) == 1)
        #expect(loaded.seconds(ahead: 9.75) == 20.25)
        #expect(loaded.seconds(ahead: 7) == nil && loaded.seconds(ahead: 30) == nil)
    }

    @Test func aRangeIsHeldToTheNanosecond() throws {
        let third = MediaTime(frame: 1, sampleRate: 3)
        // As a room reports it, in decimals of a second.
        let loaded = try #require(LoadedRanges(seconds: [[0, third.seconds]]))
        #expect(loaded.holds(TimeRange(start: .zero, end: third)))
        #expect(!loaded.holds(TimeRange(start: .zero, end: third + MediaTime(frame: 1, sampleRate: 1_000_000))))
    }

    @Test func aCutTakesWhatIsBehindIt() throws {
        var loaded = try #require(LoadedRanges(seconds: [[0, 5], [10, 30]]))
        loaded.cut(at: try seconds(12))
        #expect(loaded.seconds == [[0, 5], [10, 12]])
        loaded.cut(at: try seconds(2))
        #expect(loaded.seconds == [[0, 2]])
    }
}
