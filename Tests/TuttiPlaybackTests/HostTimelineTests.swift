import Testing
import TuttiCore
import TuttiPlayback

private func host(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }
private func media(_ milliseconds: Int64) -> MediaTime { MediaTime(frame: milliseconds, sampleRate: 1_000) }

@Suite struct HostTimelineTests {
    @Test func aCommandHoldsFromItsInstantOnAndTheOneBeforeUntilThen() throws {
        var timeline = HostTimeline(now: host(0))
        try timeline.set(rate: 1, time: media(5_000), at: host(100), now: host(0))
        #expect(timeline.time(at: host(99)) == .zero && timeline.rate == 1)
        #expect(timeline.time(at: host(100)) == media(5_000) && timeline.time(at: host(350)) == media(5_250))
        try timeline.set(rate: 0, time: nil, at: host(600), now: host(300))
        #expect(timeline.time(at: host(599)) == media(5_499) && timeline.time(at: host(9_000)) == media(5_500))
    }

    @Test func aCommandTakesThePlaceOfThoseThatWereToComeLater() throws {
        var timeline = HostTimeline(now: host(0))
        try timeline.set(rate: 1, time: media(0), at: host(500), now: host(0))
        try timeline.set(rate: 1, time: media(9_000), at: host(700), now: host(0))
        try timeline.set(rate: 1, time: media(3_000), at: host(600), now: host(0))
        #expect(timeline.scheduled.map(\.mediaTime) == [media(0), media(3_000)])
        #expect(timeline.time(at: host(800)) == media(3_200))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1])
    func whatIsNoRateIsRefused(rate: Double) {
        var timeline = HostTimeline(now: host(0))
        let before = timeline
        #expect(throws: PlaybackError.invalidRate) {
            try timeline.set(rate: rate, time: .zero, at: host(1), now: host(0))
        }
        #expect(timeline == before)
    }

    @Test func otherRatesAndNegativeTimesAreRefused() {
        var timeline = HostTimeline(now: host(0))
        let before = timeline
        for rate in [0.49, 2.01] {
            #expect(throws: PlaybackError.unsupportedRate(rate)) {
                try timeline.set(rate: rate, time: .zero, at: host(1), now: host(0))
            }
        }
        #expect(throws: PlaybackError.negativeTime(media(-1))) {
            try timeline.set(rate: 1, time: media(-1), at: host(1), now: host(0))
        }
        for instant in [Int64.min, .max] {
            #expect(throws: PlaybackError.timeOutOfRange) {
                try timeline.set(rate: 1, time: .zero, at: HostTime(nanoseconds: instant), now: host(0))
            }
        }
        #expect(timeline == before)
    }

    @Test func aLineOfAnotherRateIsWalkedAtIt() throws {
        var timeline = HostTimeline(now: host(0))
        try timeline.set(rate: 1.5, time: media(1_000), at: host(0), now: host(0))
        #expect(timeline.time(at: host(2_000)) == media(4_000))
        #expect(timeline.instant(of: media(4_000), now: host(500)) == host(2_000))
        #expect(timeline.loadingPosition(at: host(2_000)).rate == 1.5)
        try timeline.set(rate: 0.5, time: nil, at: host(2_000), now: host(1_000))
        #expect(timeline.time(at: host(4_000)) == media(5_000) && timeline.rate == 0.5)
    }

    @Test func renderersLearnOfALineInTimeAndNotBeforeAStartHasCome() throws {
        var timeline = HostTimeline(now: host(0))
        timeline.horizon = 250_000_000
        var news = timeline.takeNews(at: host(0))
        #expect(news.count == 1)
        // A start may be known early; what follows it may not.
        try timeline.set(rate: 1, time: .zero, at: host(5_000), now: host(0))
        try timeline.set(rate: 0, time: nil, at: host(9_000), now: host(0))
        news = timeline.takeNews(at: host(0))
        #expect(news.map(\.rate) == [1])
        #expect(timeline.deadline(after: host(0)) == host(5_000))
        timeline.advance(to: host(5_000))
        news = timeline.takeNews(at: host(5_000))
        #expect(news.isEmpty)
        #expect(timeline.deadline(after: host(5_000)) == host(8_750))
        news = timeline.takeNews(at: host(8_750))
        #expect(news.map(\.rate) == [0])
        news = timeline.takeNews(at: host(8_800))
        #expect(news.isEmpty)
    }

    @Test func aStopAndAStartCloseTogetherAreBothKnownAtOnce() throws {
        var timeline = HostTimeline(now: host(0))
        timeline.horizon = 250_000_000
        try timeline.set(rate: 1, time: .zero, at: host(0), now: host(0))
        _ = timeline.takeNews(at: host(1_000))
        try timeline.set(rate: 0, time: .zero, at: host(1_060), now: host(1_000))
        try timeline.set(rate: 1, time: media(70_000), at: host(1_100), now: host(1_000))
        let news = timeline.takeNews(at: host(1_000))
        #expect(news.map(\.rate) == [0, 1])
    }

    @Test func theInstantOfATimeIsFoundOnWhicheverLineReachesIt() throws {
        var timeline = HostTimeline(now: host(0))
        try timeline.set(rate: 1, time: .zero, at: host(0), now: host(0))
        try timeline.set(rate: 1, time: media(10_000), at: host(2_000), now: host(0))
        #expect(timeline.instant(of: media(1_500), now: host(1_000)) == host(1_500))
        #expect(timeline.instant(of: media(500), now: host(1_000)) == nil)
        #expect(timeline.instant(of: media(3_000), now: host(1_000)) == nil)
        #expect(timeline.instant(of: media(10_500), now: host(1_000)) == host(2_500))
        // Of 3 s and what lies behind it, 10 s is heard first.
        #expect(timeline.firstInstant(from: media(3_000), now: host(1_000)) == host(2_000))
        #expect(timeline.firstInstant(from: media(500), now: host(1_000)) == host(1_000))
    }
}
