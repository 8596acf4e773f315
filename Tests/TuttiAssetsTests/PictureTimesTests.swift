import Testing
import TuttiAssets
import TuttiCore

@Suite("Timestamps of pictures are repaired")
struct PictureTimesTests {
    private func all(_ times: inout PictureTimes<Int>) -> [(picture: Int, shown: Int64, decoded: Int64)] {
        var placed: [(picture: Int, shown: Int64, decoded: Int64)] = []
        while let next = times.popFirst() { placed.append((next.picture, next.presentation, next.decoding)) }
        return placed
    }

    @Test("good ones stay as they are, at once")
    func good() {
        var times = PictureTimes<Int>(frameDuration: 10, longestReturn: 100)
        for (number, (shown, decoded)) in [(0, -10), (30, 0), (10, 10), (20, 20)].enumerated() {
            times.append(number, presentation: Int64(shown), decoding: Int64(decoded), duration: 10)
            #expect(all(&times).map(\.shown) == [Int64(shown)])
        }
        times.finish()
        #expect(times.popFirst() == nil)
    }

    @Test("decoding times alone tell when pictures are shown that are reordered")
    func reordered() {
        var times = PictureTimes<Int>(frameDuration: 10, longestReturn: 100)
        // I P B B P B B
        for (number, shown) in ([nil, nil, 20, 30, nil, 50, 60] as [Int64?]).enumerated() {
            times.append(number, presentation: shown, decoding: Int64(number) * 10, duration: 0)
        }
        #expect(all(&times).map(\.shown) == [10, 40, 20, 30])
        times.finish()
        let rest = all(&times)
        #expect(rest.map(\.picture) == [4, 5, 6])
        #expect(rest.map(\.shown) == [70, 50, 60])
    }

    @Test("pictures without any time follow at the frame rate")
    func without() {
        var times = PictureTimes<Int>(frameDuration: 40, longestReturn: 1_000)
        times.append(0, presentation: nil, decoding: nil, duration: 0)
        times.append(1, presentation: nil, decoding: nil, duration: 25)
        times.append(2, presentation: nil, decoding: nil, duration: 0)
        times.append(3, presentation: 500, decoding: nil, duration: 0)
        times.append(4, presentation: nil, decoding: nil, duration: -5)
        #expect(all(&times).map(\.shown) == [0, 40, 65, 500, 540])
    }

    @Test("times that go back, or leap where that is a break, go on from the picture before")
    func breaks() {
        var times = PictureTimes<Int>(frameDuration: 10, longestReturn: 100, longestGap: 1_000)
        for (number, time) in ([5_000, 5_010, 0, 10, 9_000, 9_010, 9_900] as [Int64]).enumerated() {
            times.append(number, presentation: time + 10, decoding: time, duration: 10)
        }
        #expect(all(&times).map(\.shown) == [5_010, 5_020, 5_030, 5_040, 5_050, 5_060, 5_950])
        // A still may be shown for any time.
        var stills = PictureTimes<Int>(frameDuration: 10, longestReturn: 100)
        stills.append(0, presentation: 0, decoding: 0, duration: 0)
        stills.append(1, presentation: 1_000_000, decoding: 1_000_000, duration: 0)
        #expect(all(&stills).map(\.shown) == [0, 1_000_000])
    }

    @Test("a picture does not wait for ever")
    func bounded() {
        var times = PictureTimes<Int>(frameDuration: 1, longestReturn: 100)
        times.append(0, presentation: nil, decoding: 0, duration: 0)
        for number in 1..<100 {
            times.append(number, presentation: Int64(number), decoding: Int64(number), duration: 0)
        }
        #expect(all(&times).count == 100)
    }

    @Test("no times at all trap, and every picture comes out once, in order")
    func hostile() {
        var random = SplitMix64(seed: 7)
        let special: [Int64?] = [nil, .min, .max, 0, 1 << 61, -(1 << 61), 1 << 62, -1]
        for _ in 0..<200 {
            var times = PictureTimes<Int>(
                frameDuration: Int64(bitPattern: random.next()), longestReturn: Int64(bitPattern: random.next() >> 1),
                longestGap: random.next() % 2 == 0 ? nil : Int64(bitPattern: random.next()))
            var pictures: [Int] = []
            for number in 0..<200 {
                func any() -> Int64? {
                    random.next() % 2 == 0
                        ? special[Int(random.next() % 8)] : Int64(bitPattern: random.next()) >> (random.next() % 60)
                }
                times.append(number, presentation: any(), decoding: any(), duration: any() ?? 0)
                pictures += all(&times).map(\.picture)
            }
            times.finish()
            pictures += all(&times).map(\.picture)
            #expect(pictures == Array(0..<200))
        }
    }

    @Test("timestamps become times and back")
    func timeline() throws {
        #expect(FilmTimeline(numerator: 0, timescale: 1) == nil)
        #expect(FilmTimeline(numerator: 1, timescale: -1) == nil)
        var timeline = try #require(FilmTimeline(numerator: 1_001, timescale: 30_000))
        #expect(timeline.time(30) == MediaTime(value: 1_001, timescale: 1_000))
        #expect(timeline.time(.max) == nil && timeline.time(.min) == nil && timeline.duration(.max / 1_001) == nil)
        timeline.zero = try #require(MediaTime(value: 1, timescale: 44_100))
        for stamp in [-1_000_001, -1, 0, 1, 299, 1 << 30] as [Int64] {
            let time = try #require(timeline.time(stamp))
            #expect(timeline.timestamp(at: time) == stamp)
            #expect(timeline.timestamp(at: time - MediaTime(frame: 1, sampleRate: 44_100)) == stamp - 1)
        }
        #expect(timeline.timestamp(at: MediaTime.lowest) < 0)
        #expect(timeline.units(MediaTime(frame: 1, sampleRate: 1_000_000)) == 1)
    }
}
