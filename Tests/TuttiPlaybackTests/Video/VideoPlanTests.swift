import Testing
import TuttiCore
import TuttiPlayback

@Suite struct VideoPlanTests {
    @Test(arguments: [24, 25, 30, 50, 60]) func everyPictureIsSeenInItsTime(rate: Int) throws {
        var cinema = Cinema(rate: rate, count: 5 * rate)
        try cinema.feed()
        try cinema.set(rate: 1, time: .zero, inMilliseconds: 100)
        try cinema.pass(milliseconds: 100)
        #expect(try cinema.pass(milliseconds: 6_000) { $0.isRight })
        #expect(cinema.plan.shownCount == cinema.count && cinema.plan.droppedCount == 0)
        #expect(cinema.screen.count == cinema.count)
        // At its instant, to the nanosecond that follows.
        for showing in cinema.screen.dropFirst() {
            let instant = showing.frame.presentationTime.seconds * 1e9 + 1.1e9
            #expect((0..<2).contains(Double(showing.instant.nanoseconds) - instant.rounded(.down)))
        }
    }

    @Test func aPauseStandsAndASeekIsSeenInIt() throws {
        var cinema = Cinema()
        try cinema.feed()
        try cinema.set(rate: 1, time: .zero)
        try cinema.pass(milliseconds: 1_010)
        try cinema.set(rate: 0, inMilliseconds: 50)
        #expect(try cinema.pass(milliseconds: 500) { $0.isRight })
        // Within what is held.
        try cinema.set(rate: 0, time: MediaTime(frame: 5, sampleRate: 2))
        #expect(try cinema.pass(milliseconds: 100) { $0.isRight })
        #expect(cinema.seen == MediaTime(frame: 62, sampleRate: 25))
        // Far away.
        try cinema.set(rate: 0, time: MediaTime(frame: 20, sampleRate: 1))
        try cinema.feed(from: MediaTime(frame: 20, sampleRate: 1))
        #expect(try cinema.pass(milliseconds: 100) { $0.isRight })
        try cinema.set(rate: 1, inMilliseconds: 100)
        #expect(try cinema.pass(milliseconds: 2_000) { $0.isRight })
        #expect(cinema.plan.droppedCount == 0)
    }

    @Test(arguments: [0.5, 1.5, 2]) func otherRates(rate: Double) throws {
        var cinema = Cinema()
        try cinema.feed()
        try cinema.set(rate: 1, time: .zero)
        try cinema.pass(milliseconds: 700)
        try cinema.set(rate: rate, inMilliseconds: 200)
        #expect(try cinema.pass(milliseconds: 4_000) { $0.isRight })
        #expect(cinema.plan.droppedCount == 0)
    }

    @Test func aSlowDecoderLeavesPicturesOutAndCountsThem() throws {
        var cinema = Cinema()
        // 25 pictures a second, of which it can do 20.
        cinema.cost = 50_000_000
        try cinema.feed()
        try cinema.set(rate: 1, time: .zero)
        try cinema.pass(milliseconds: 20_000)
        let (shown, dropped) = (cinema.plan.shownCount, cinema.plan.droppedCount)
        #expect((250...420).contains(shown) && dropped > 50, "\(shown) \(dropped)")
        #expect((400...510).contains(shown + dropped), "\(shown) \(dropped)")
        // What is seen is never far behind.
        let behind = cinema.wanted(at: cinema.now) - (try #require(cinema.seen))
        #expect(behind.seconds < 1)
    }

    /// Random commands and flushes: whenever the decoder has had its time, the right picture is seen.
    @Test(arguments: 0..<40) func anything(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var cinema = Cinema(
            rate: [24, 25, 30, 60][Int(random.next() % 4)], group: [1, 4, 12, 50][Int(random.next() % 4)], count: 1_500)
        var story: [String] = []
        try cinema.feed()
        try cinema.pass(milliseconds: 50)
        for _ in 0..<30 {
            let isPlaying = random.next() % 4 > 0
            let rate = isPlaying ? [1, 1, 0.5, 1.5, 2][Int(random.next() % 5)] : 0
            let delay = Int64(random.next() % 300)
            let ahead = MediaTime(frame: Int64(random.next() % 1_000), sampleRate: 60)
            switch random.next() % 5 {
            case 4:
                let time = cinema.timeline.time(at: cinema.now) + MediaTime(frame: ahead.value % 180, sampleRate: 60)
                story.append("anew from \(time.seconds)")
                try cinema.replace(from: time)
            case 0:
                story.append("seek to \(ahead.seconds), rate \(rate)")
                try cinema.set(rate: rate, time: ahead)
                try cinema.feed(from: ahead)
            case 1:
                // A step ahead, in what is held.
                let time = cinema.timeline.time(at: cinema.now) + MediaTime(frame: ahead.value % 100, sampleRate: 60)
                story.append("step to \(time.seconds), rate \(rate) in \(delay) ms")
                try cinema.set(rate: rate, time: time, inMilliseconds: delay)
            default:
                story.append("rate \(rate) in \(delay) ms")
                try cinema.set(rate: rate, inMilliseconds: delay)
            }
            let isRight = try cinema.pass(milliseconds: Int(random.next() % 900)) { cinema in
                cinema.isRight || cinema.timeline.time(at: cinema.now) >= cinema.time(cinema.count)
            }
            guard isRight else {
                let passed = cinema.now.nanoseconds(since: Cinema.start) / 1_000_000
                Issue.record(
                    """
                    \(story.suffix(4)) at \(passed) ms: \(cinema.seen?.seconds ?? -1) is seen, and not \
                    \(cinema.wanted(at: cinema.now).seconds); \(cinema.report)
                    """)
                return
            }
        }
        #expect(cinema.plan.droppedCount == 0)
    }

    @Test func anotherFilmTakesOverAtItsTime() throws {
        var cinema = Cinema(group: 50, count: 100)
        try cinema.feed()
        try cinema.set(rate: 1, time: .zero)
        try cinema.pass(milliseconds: 500)
        // In the middle of a group: what is before it is seen to its end.
        let begin = MediaTime(frame: 30, sampleRate: 25)
        #expect(cinema.plan.flush(from: begin, now: cinema.now) == nil)
        let format = try #require(VideoFormat(codec: .vp9, width: 16, height: 16))
        for number in Int64(0)..<10 {
            let time = begin + MediaTime(frame: number, sampleRate: 10)
            try cinema.plan.append(
                .coded(
                    try #require(
                        VideoSampleBuffer(
                            format: format, presentationTime: time,
                            duration: MediaTime(frame: 1, sampleRate: 10), isSync: number == 0, data: [1]))))
        }
        cinema.plan.finish()
        try cinema.pass(milliseconds: 1_500)
        let seen = cinema.screen.map { $0.frame.presentationTime }
        // The three that are decoded behind picture 30 although they are shown before it are gone with it.
        let before = (0..<28).map { MediaTime(frame: $0, sampleRate: 25) }
        let behind = (0..<9).map { begin + MediaTime(frame: $0, sampleRate: 10) }
        #expect(seen == before + behind)
        #expect(cinema.plan.droppedCount == 0)
    }

    @Test func whatIsHeldHasBounds() throws {
        var cinema = Cinema(count: 100_000)
        try cinema.feed()
        #expect((40...80).contains(cinema.plan.store.numbers.count))
        #expect(throws: PlaybackError.negativeTime(MediaTime(frame: -1, sampleRate: 25))) {
            let format = try #require(VideoFormat(codec: .h264, width: 16, height: 16))
            let early = MediaTime(frame: -1, sampleRate: 25)
            try cinema.plan.append(
                .coded(
                    try #require(VideoSampleBuffer(format: format, presentationTime: early, isSync: true, data: [1]))))
        }
        #expect(throws: PlaybackError.bufferFull) {
            for number in 0..<20_000 { try cinema.plan.append(.coded(try cinema.buffer(number))) }
        }
        try cinema.set(rate: 1, time: .zero)
        try cinema.pass(milliseconds: 2_000)
        #expect(cinema.plan.store.numbers.lowerBound >= 36)
    }
}
