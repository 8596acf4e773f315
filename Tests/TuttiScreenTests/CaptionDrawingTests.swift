import Testing
import TuttiCore
import TuttiScreen

/// Which texts are above the picture from which instant on.
struct CaptionDrawingTests {
    private static let second: Int64 = 1_000_000_000
    private static let style = SubtitleStyle(
        header: """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 640
            PlayResY: 360

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
            Style: Default,sans-serif,30,&H00FFFFFF,2

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """)

    private var drawing = CaptionDrawing()

    private static func host(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    private static func media(_ seconds: Double) -> MediaTime {
        MediaTime(frame: Int64(seconds * 1_000), sampleRate: 1_000)
    }

    /// The stream begins at host time 100 s.
    private static let line = PictureLine(rate: 1, media: .zero, instant: host(100))

    private static func text(_ start: Double, _ end: Double) throws -> CaptionOrder {
        let content = SubtitleCue.Content.text("0,0,Default,,0,0,0,,from \(start)")
        let cue = try #require(SubtitleCue(start: media(start), end: media(end), content: content))
        return .insert(.cue(cue, style: style))
    }

    private static func areas(_ width: Int, _ height: Int) -> ScreenAreas {
        let area = PixelRectangle(x: 0, y: 0, width: width, height: height)
        return ScreenAreas(picture: area, window: area)
    }

    private mutating func draw(
        _ orders: [CaptionOrder] = [], _ lines: [PictureLine] = [line], at seconds: Double
    ) -> (pictures: [CaptionDrawing.Picture], next: HostTime?) {
        drawing.draw(orders, lines: lines, areas: Self.areas(640, 360), now: Self.host(seconds))
    }

    @Test mutating func aTextIsDrawnALittleBeforeItsInstantAndGoesAtItsEnd() throws {
        var due = draw([try Self.text(2, 3)], at: 100)
        #expect(due.pictures.isEmpty && due.next == Self.host(101.75))
        due = draw(at: 101.8)
        #expect(due.pictures.map(\.overlays.count) == [1] && due.pictures.first?.instant == Self.host(102))
        due = draw(at: 102.9)
        #expect(due.pictures.map(\.overlays.count) == [0] && due.pictures.first?.instant == Self.host(103))
    }

    @Test mutating func oneThatIsSaidAlreadyIsSeenAtOnce() throws {
        let due = draw([try Self.text(2, 30)], at: 110)
        #expect(due.pictures.map(\.overlays.count) == [1] && due.pictures.first?.instant == nil)
        // Said again it changes nothing.
        #expect(draw([try Self.text(2, 30)], at: 111).pictures.allSatisfy { $0.overlays.count == 1 })
    }

    @Test mutating func aPauseHoldsItAndAJumpShowsWhatIsThere() throws {
        _ = draw([try Self.text(2, 3), try Self.text(50, 51)], at: 100)
        let pause = PictureLine(rate: 0, media: Self.media(2.5), instant: Self.host(102.5))
        var due = draw([], [Self.line, pause], at: 102.5)
        #expect(due.pictures.last?.overlays.count == 1)
        due = draw([], [pause], at: 160)
        #expect(due.pictures.allSatisfy { $0.overlays.count == 1 })
        let jump = PictureLine(rate: 1, media: Self.media(50.5), instant: Self.host(170))
        due = draw([], [jump], at: 170)
        #expect(due.pictures.first?.overlays.count == 1)
        #expect(draw(at: 170).pictures.last?.overlays.isEmpty ?? false)
    }

    @Test mutating func aChangeThatIsToldAheadIsFollowedAtItsInstant() throws {
        let orders = [try Self.text(0, 5), try Self.text(20, 30)]
        let jump = PictureLine(rate: 1, media: Self.media(22), instant: Self.host(103))
        var due = draw(orders, [Self.line, jump], at: 102)
        #expect(due.pictures.last?.overlays.count == 1 && due.next == Self.host(102.5))
        due = draw([], [Self.line, jump], at: 103)
        #expect(due.pictures.last?.overlays.count == 1)
    }

    @Test mutating func whatEndsOrIsFlushedIsNotSeen() throws {
        _ = draw([try Self.text(0, 50), try Self.text(60, 70)], at: 110)
        var due = draw([.insert(.end(Self.media(10)))], at: 110)
        #expect(due.pictures.last?.overlays.isEmpty ?? false)
        due = draw([try Self.text(0, 50)], at: 110)
        #expect(due.pictures.last?.overlays.count == 1)
        due = draw([.flush(nil)], at: 110)
        #expect(due.pictures.last?.overlays.isEmpty ?? false)
        due = draw([try Self.text(0, 50)], [], at: 110)
        #expect(due.pictures.allSatisfy { $0.overlays.isEmpty } && due.next == nil)
    }

    @Test mutating func aCardIsSeenWhileItsTrackPlays() throws {
        let card = TextCard(title: "So What", artist: "Miles Davis")
        let order = CaptionOrder.insert(.card(card, TimeRange(start: Self.media(5), end: Self.media(9))))
        var due = draw([order], at: 104.9)
        #expect(due.pictures.map(\.overlays.count) == [1] && due.pictures.first?.instant == Self.host(105))
        let first = try #require(due.pictures.first?.overlays.first)
        due = draw([.flush(Self.media(8))], at: 107.9)
        #expect(due.pictures.map(\.overlays.count) == [1, 0] && due.pictures.last?.instant == Self.host(108))
        #expect(due.pictures.first?.overlays.first?.image === first.image, "it is drawn once")
    }

    @Test mutating func aWindowOfAnotherSizeHasItDrawnAnew() throws {
        _ = draw([try Self.text(0, 50)], at: 101)
        let due = drawing.draw([], lines: [Self.line], areas: Self.areas(1_280, 720), now: Self.host(101.5))
        let image = try #require(due.pictures.last?.overlays.first?.image)
        #expect(image.width > 100 && due.pictures.last?.instant == nil)
        #expect(
            drawing.draw([], lines: [Self.line], areas: Self.areas(1_280, 720), now: Self.host(101.6)).pictures.isEmpty)
    }

    @Test mutating func textsThatMoveAreDrawnAgainAndAgainButNeverForever() throws {
        let content = SubtitleCue.Content.text("0,0,Default,,0,0,0,,{\\move(0,0,600,300)}moving")
        let cue = try #require(SubtitleCue(start: .zero, end: Self.media(60), content: content))
        let due = draw([.insert(.cue(cue, style: Self.style))], at: 101)
        #expect((5...12).contains(due.pictures.count))
        #expect(due.next.map { $0 > Self.host(101) } ?? false)
    }
}
