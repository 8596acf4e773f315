import Testing
import TuttiCore

@Suite("Subtitle cues and their limits")
struct SubtitleCueTests {
    private static func seconds(_ count: Int64) -> MediaTime { MediaTime(frame: count, sampleRate: 1) }

    private func cue(_ start: Int64, _ end: Int64, _ text: String = "0,0,Default,,0,0,0,,x") -> SubtitleCue? {
        SubtitleCue(start: Self.seconds(start), end: Self.seconds(end), content: .text(text))
    }

    @Test("a cue ends after its start, and not too long after it")
    func times() {
        #expect(cue(1, 2) != nil && cue(-2, -1) != nil)
        #expect(cue(1, 1) == nil && cue(2, 1) == nil)
        #expect(cue(0, 86_400) != nil && cue(0, 86_401) == nil)
        #expect(cue(-MediaTime.maximumSeconds, MediaTime.maximumSeconds) == nil)
    }

    @Test("a text has some bytes, not too many, and no NUL")
    func texts() {
        #expect(cue(1, 2, "") == nil && cue(1, 2, "a\0b") == nil)
        #expect(cue(1, 2, String(repeating: "x", count: 16_384)) != nil)
        #expect(cue(1, 2, String(repeating: "é", count: 8_193)) == nil)
    }

    @Test("a style has some bytes, not too many, and no NUL")
    func styles() {
        #expect(SubtitleStyle(header: "[Script Info]") != nil)
        #expect(SubtitleStyle(header: "") == nil && SubtitleStyle(header: "\0") == nil)
        #expect(SubtitleStyle(header: String(repeating: "x", count: 65_536)) != nil)
        #expect(SubtitleStyle(header: String(repeating: "x", count: 65_537)) == nil)
    }

    @Test("a place is inside the film")
    func places() {
        #expect(SubtitleImage.Place(x: 0, y: 0, width: 1, height: 1) != nil)
        #expect(SubtitleImage.Place(x: 0.1 + 0.2, y: 0, width: 0.7, height: 1) != nil)
        #expect(SubtitleImage.Place(x: 0.5, y: 0, width: 0.6, height: 0.1) == nil)
        #expect(SubtitleImage.Place(x: -0.1, y: 0, width: 0.6, height: 0.1) == nil)
        #expect(SubtitleImage.Place(x: 0, y: 0, width: 0, height: 0.1) == nil)
        for hostile in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(SubtitleImage.Place(x: hostile, y: 0, width: 0.5, height: 0.5) == nil)
            #expect(SubtitleImage.Place(x: 0, y: 0, width: 0.5, height: hostile) == nil)
        }
    }

    @Test("an image has the bytes that its sides say")
    func images() throws {
        let place = try #require(SubtitleImage.Place(x: 0, y: 0, width: 1, height: 1))
        let image = { (width: Int, height: Int, count: Int) in
            SubtitleImage(place: place, width: width, height: height, bgra: [UInt8](repeating: 0, count: count))
        }
        #expect(image(2, 3, 24) != nil && image(2, 3, 23) == nil && image(0, 3, 0) == nil && image(-1, -1, 4) == nil)
        #expect(image(1_024, 1_024, 4 << 20) != nil && image(1_025, 1_024, 4 * 1_025 * 1_024) == nil)
        #expect(image(.max, .max, 0) == nil)
    }
}
