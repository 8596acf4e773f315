import Testing
import Tutti
import TuttiAssets
import TuttiRendering

/// The pictures of a stream from a sender, on lines as a speaker has them.
@Suite struct StreamPicturesTests {
    private struct Hall {
        let studio: Studio
        let screen: VideoScreen
        let pictures: StreamPictures

        init() throws {
            studio = try Studio()
            screen = VideoScreen(clock: studio.output.clock)
            pictures = try StreamPictures(sink: screen, clock: studio.output.clock)
        }

        var now: HostTime { studio.output.clock.now() }

        func insert(_ numbers: Range<Int>, beginsAnew: Bool = false) throws {
            for number in numbers {
                let still = StillPicture.blank?.buffer(
                    at: MediaTime(frame: Int64(number), sampleRate: 25), duration: MediaTime(frame: 1, sampleRate: 25))
                pictures.insert(try #require(still), beginsAnew: beginsAnew && number == numbers.lowerBound)
            }
        }

        /// Lets time pass, and looks at the screen.
        func pass(milliseconds: Int) throws {
            for _ in 0..<milliseconds / 10 { _ = try studio.render(480) }
        }

        func seconds(_ time: MediaTime?) -> Double? { time.map { ($0.seconds * 1_000).rounded() / 1_000 } }
    }

    @Test func picturesFollowTheLinesOfTheSound() throws {
        let hall = try Hall()
        try hall.insert(0..<250)
        let start = hall.now.advanced(byNanoseconds: 100_000_000)
        hall.pictures.follow([PictureLine(rate: 1, media: .zero, instant: start)])
        try hall.pass(milliseconds: 100 + 1_010)
        #expect(hall.seconds(hall.screen.seen) == 1)
        // A pause that is told ahead.
        let pause = hall.now.advanced(byNanoseconds: 50_000_000)
        let run = PictureLine(rate: 1, media: .zero, instant: start)
        let rest = PictureLine(rate: 0, media: MediaTime(frame: 106, sampleRate: 100), instant: pause)
        hall.pictures.follow([run, rest])
        try hall.pass(milliseconds: 1_000)
        #expect(hall.seconds(hall.screen.seen) == 1.04)
        // And on.
        let again = hall.now.advanced(byNanoseconds: 100_000_000)
        hall.pictures.follow([rest, PictureLine(rate: 1, media: rest.media, instant: again)])
        try hall.pass(milliseconds: 100 + 950)
        #expect(hall.seconds(hall.screen.seen) == 2)
        #expect(hall.pictures.renderer.performance.droppedFrames == 0)
    }

    @Test func aClockThatDriftsTakesThePicturesAlong() throws {
        let hall = try Hall()
        try hall.insert(0..<250)
        let start = hall.now.advanced(byNanoseconds: 10_000_000)
        // A second of the sender's is 1.001 s here.
        for step in 0..<40 {
            let line = PictureLine(
                rate: 1, media: .zero, instant: start.advanced(byNanoseconds: Int64(step) * 100_000))
            hall.pictures.follow([line])
            try hall.pass(milliseconds: 100)
        }
        let late = hall.screen.showings.suffix(10).map { showing in
            Double(showing.instant.nanoseconds(since: start)) / 1e6 - (showing.time?.seconds ?? 0) * 1_000
        }
        #expect(late.allSatisfy { (3...4.2).contains($0) }, "\(late)")
        #expect(hall.pictures.renderer.performance.droppedFrames == 0)
    }

    @Test func whatBeginsAnewTakesThePlaceOfWhatWasThere() throws {
        let hall = try Hall()
        try hall.insert(0..<100)
        hall.pictures.follow([PictureLine(rate: 1, media: .zero, instant: hall.now)])
        try hall.pass(milliseconds: 500)
        let bytes = hall.pictures.load.bytes
        try hall.insert(50..<150, beginsAnew: true)
        #expect(hall.pictures.load.bytes > bytes)
        try hall.pass(milliseconds: 5_600)
        let times = hall.screen.showings.compactMap { $0.time?.frame(at: 25) }
        #expect(times == Array(0..<150).map(Int64.init))
        #expect(hall.pictures.refusedCount == 0)
    }

    @Test func aStreamThatIsGoneLeavesNothingToSee() throws {
        let hall = try Hall()
        try hall.insert(0..<100)
        hall.pictures.follow([PictureLine(rate: 1, media: .zero, instant: hall.now)])
        try hall.pass(milliseconds: 500)
        #expect(hall.screen.seen != nil)
        hall.pictures.clear()
        try hall.pass(milliseconds: 200)
        #expect(hall.screen.seen == nil && hall.pictures.load.bytes == 0)
    }

    @Test func moreThanIsHeldIsRefusedAndCounted() throws {
        let hall = try Hall()
        // Five minutes of 120 a second are not too many.
        try hall.insert(0..<36_000)
        #expect(hall.pictures.refusedCount == 0)
        try hall.insert(36_000..<70_000)
        #expect(hall.pictures.refusedCount > 0)
    }
}
