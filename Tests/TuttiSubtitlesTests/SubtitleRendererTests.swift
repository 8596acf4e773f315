import Foundation
import Testing
import TuttiCore
import TuttiSubtitles

@Suite("Subtitles above a picture")
struct SubtitleRendererTests {
    private static let (width, height) = (640, 360)
    /// As libavcodec writes it for texts without styles.
    static let style = SubtitleStyle(
        header: """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 384
            PlayResY: 288
            ScaledBorderAndShadow: yes

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
            Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
            MarginR, MarginV, Encoding
            Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """)

    static func milliseconds(_ count: Int64) -> MediaTime { MediaTime(frame: count, sampleRate: 1_000) }

    static func text(_ text: String, _ start: Int64, _ end: Int64) throws -> SubtitleCue {
        try #require(
            SubtitleCue(
                start: milliseconds(start), end: milliseconds(end), content: .text("0,0,Default,,0,0,0,,\(text)")))
    }

    static func image(x: Double, width: Int = 8, height: Int = 4, _ start: Int64, _ end: Int64) throws -> SubtitleCue {
        let place = try #require(SubtitleImage.Place(x: x, y: 0.5, width: 0.1, height: 0.05))
        let pixels = (0..<width * height).flatMap {
            UInt8(truncatingIfNeeded: $0) == 0 ? [9, 8, 7, 255] : [1, 2, 3, 128]
        }
        let image = try #require(
            SubtitleImage(place: place, width: width, height: height, bgra: pixels.map { UInt8($0) }))
        return try #require(SubtitleCue(start: milliseconds(start), end: milliseconds(end), content: .image(image)))
    }

    private let renderer: SubtitleRenderer

    init() throws { renderer = try SubtitleRenderer(width: Self.width, height: Self.height) }

    private func tiles(_ milliseconds: Int64) -> [SubtitleTile] {
        renderer.picture(at: Self.milliseconds(milliseconds)).tiles
    }

    private func nextChange(_ milliseconds: Int64) -> MediaTime? {
        renderer.picture(at: Self.milliseconds(milliseconds)).nextChange
    }

    // MARK: Texts

    @Test("a text is white, in the lower third, from its start until its end")
    func text() throws {
        renderer.append(try Self.text("Good evening", 1_000, 3_000), style: Self.style)
        #expect(tiles(0).isEmpty && tiles(999).isEmpty && tiles(3_000).isEmpty && tiles(9_000).isEmpty)
        for time: Int64 in [1_000, 2_000, 2_999] {
            let tiles = tiles(time)
            try #require(tiles.count == 1)
            #expect(tiles[0].place.y > 2.0 / 3 && tiles[0].place.x > 0.1 && tiles[0].place.width < 0.8)
            let pixels = tiles[0].pixels
            #expect(pixels.count { $0 == SIMD4(255, 255, 255, 255) } > 100)
            // Its outline, and what is between letters.
            #expect(pixels.contains { $0.w == 255 && $0.x < 64 } && pixels.contains { $0.w == 0 })
        }
        #expect(nextChange(0) == Self.milliseconds(1_000) && nextChange(1_000) == Self.milliseconds(3_000))
        #expect(nextChange(3_000) == nil)
    }

    @Test("what stays the same is the same image, and a text that moves is not")
    func change() throws {
        renderer.append(try Self.text("Still", 0, 3_000), style: Self.style)
        #expect(try #require(tiles(100).first).image === #require(tiles(200).first).image)
        renderer.append(try Self.text("{\\move(0,0,300,200)}Moving", 1_000, 3_000), style: Self.style)
        #expect(nextChange(100) == Self.milliseconds(1_000))
        #expect(nextChange(1_500) == Self.milliseconds(1_533))
        #expect(nextChange(2_990) == Self.milliseconds(3_000))
        let (first, second) = (tiles(1_100), tiles(2_000))
        #expect(first.count == 2 && second.count == 2 && first[0].place != second[0].place)
    }

    @Test("texts at the top and at the bottom have nothing between them")
    func bands() throws {
        renderer.append(try Self.text("{\\an8}Above", 0, 1_000), style: Self.style)
        renderer.append(try Self.text("Below", 0, 1_000), style: Self.style)
        let tiles = tiles(500)
        try #require(tiles.count == 2)
        #expect(tiles[0].place.y < 0.2 && tiles[0].place.height < 0.2 && tiles[1].place.y > 2.0 / 3)
    }

    @Test("colours are those of the style and not multiplied by opacity")
    func colors() throws {
        // Half-transparent blue, which ASS writes as BGR, without an outline.
        renderer.append(try Self.text("{\\1c&HFF0000&\\1a&H80&\\bord0\\shad0}█", 0, 1_000), style: Self.style)
        let pixels = try #require(tiles(500).first).pixels
        #expect(pixels.allSatisfy { $0.w == 0 || ($0.x, $0.y, $0.z) == (255, 0, 0) })
        #expect(pixels.max { $0.w < $1.w }?.w == 127)
    }

    @Test("texts of another size of picture are larger, at the same place")
    func resize() throws {
        renderer.append(try Self.text("Larger", 0, 1_000), style: Self.style)
        let small = try #require(tiles(500).first)
        try renderer.resize(width: 2 * Self.width, height: 2 * Self.height)
        let large = try #require(tiles(500).first)
        #expect(abs(large.place.y - small.place.y) < 0.02 && abs(large.place.width - small.place.width) < 0.02)
        #expect(abs(large.image.width - 2 * small.image.width) < 8)
        #expect(throws: SubtitleError.size(width: 0, height: 9)) { try renderer.resize(width: 0, height: 9) }
        #expect(throws: SubtitleError.self) { try SubtitleRenderer(width: 16_384, height: 16_384) }
    }

    @Test("the same cue twice is one, and cues of films that follow each other keep their styles")
    func styles() throws {
        renderer.append(try Self.text("Once", 0, 1_000), style: Self.style)
        let once = try #require(tiles(500).first)
        renderer.append(try Self.text("Once", 0, 1_000), style: Self.style)
        #expect(tiles(500).first?.place == once.place)
        let other = SubtitleStyle(header: try #require(Self.style).header.replacing(",Arial,16,", with: ",Arial,32,"))
        renderer.append(try Self.text("Once", 2_000, 3_000), style: other)
        let large = try #require(tiles(2_500).first)
        #expect(large.place.height > 1.2 * once.place.height)
        #expect(tiles(500).first?.place == once.place)
        // One more style than are held: the first is gone.
        for size in 40...42 {
            let style = SubtitleStyle(
                header: try #require(Self.style).header.replacing(",Arial,16,", with: ",Arial,\(size),"))
            renderer.append(try Self.text("More", 4_000, 5_000), style: style)
        }
        #expect(tiles(500).isEmpty && !tiles(2_500).isEmpty)
        renderer.removeAll()
        #expect(tiles(2_500).isEmpty && nextChange(0) == nil)
    }

    @Test("what was to be shown ends where another track begins")
    func end() throws {
        renderer.append(try Self.text("One", 0, 2_000), style: Self.style)
        renderer.append(try Self.text("Two", 3_000, 4_000), style: Self.style)
        renderer.append(try Self.image(x: 0.2, 500, 2_000))
        renderer.append(try Self.image(x: 0.2, 1_000, 2_000))
        let image = tiles(600).first?.image
        #expect(tiles(1_200).count == 3)
        renderer.end(at: Self.milliseconds(1_000))
        #expect(tiles(999).count == 2 && tiles(999).first?.image === image)
        #expect(tiles(1_000).isEmpty && tiles(3_500).isEmpty && nextChange(1_000) == nil)
        // What was forgotten can be said again.
        renderer.append(try Self.text("Two", 3_000, 4_000), style: Self.style)
        #expect(tiles(3_500).count == 1)
    }

    @Test("without fonts there are no texts, and images are there as ever")
    func noFonts() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("no-fonts-\(UUID().uuidString).conf")
        try Data("<fontconfig></fontconfig>".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let renderer = try SubtitleRenderer(width: 640, height: 360, fontConfiguration: file.path)
        renderer.append(try Self.text("Nothing", 0, 1_000), style: Self.style)
        renderer.append(try Self.image(x: 0.2, 0, 1_000))
        #expect(renderer.picture(at: .zero).tiles.map(\.place.x) == [0.2])
        #expect(renderer.tile(of: TextCard(title: "Nothing")) == nil)
    }

    @Test("what ended first goes first when there are too many texts")
    func bounds() throws {
        for index in 0..<Int64(SubtitleRenderer.maximumTexts + 1) {
            renderer.append(try Self.text("\(index)", index * 10, index * 10 + 10), style: Self.style)
        }
        #expect(tiles(5).isEmpty && nextChange(0) == Self.milliseconds(50_000))
        #expect(!tiles(200_005).isEmpty)
    }

    @Test("scripts that are none, and overrides without sense, do no harm")
    func hostile() throws {
        var random = SplitMix64(seed: 7)
        let pieces = [
            "{\\", "}", "\\p1", "m 0 0 l 9 9", "\\t(", "\\fs-1", "\\fs999999", "\\pos(1e99,nan)", "\\clip(", "\\blur99",
            "\\N", "é", "\\k-1", "\\fscx1e9", "\\org(", ")", ",", "\u{202E}", "\\an99", "\\r", "x",
        ]
        for round in 0..<200 {
            let header = (0..<20).map { _ in
                ["[Events]", "[V4+ Styles]", "Style: a,b,c", "PlayResX: -5", "Dialogue: 0,0", "Format: x", "\n", ":"][
                    Int(random.next() % 8)]
            }
            let style = round % 2 == 0 ? Self.style : SubtitleStyle(header: header.joined(separator: "\n"))
            let text = (0..<12).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            renderer.append(try Self.text(text, 0, 100), style: style)
            if round % 10 == 9 {
                _ = tiles(50)
                renderer.removeAll()
            }
        }
    }

    @Test(
        "what would take gigabytes to draw is left out, and the rest is there",
        arguments: [
            "{\\bord5000}W", "{\\t(\\xbord 5000)}W", "{\\fs(5000)}" + String(repeating: "W", count: 100),
            "{\\ fscx100000\\fscy100000}WWW", String(repeating: "{\\fs+99}", count: 9) + "WWW",
            "{\\blur100}" + String(repeating: "W", count: 15_000), "{\\fsp1e9}WW", "{\\fax1e300\\fay1e300}W",
            "{\\fsnan}W",
            "{\\p1\\bord50\\blur90}m 0 0 l 9000 0 9000 9000 0 9000",
            String(repeating: "{\\p1}m 0 0 l 2000 0 2000 2000 0 2000 {\\p0}W", count: 300),
        ])
    func costs(_ text: String) throws {
        renderer.append(try Self.text(text, 0, 1_000), style: Self.style)
        #expect(nextChange(0) == nil && tiles(500).isEmpty)
        renderer.append(try Self.text("Plain", 0, 1_000), style: Self.style)
        #expect(tiles(500).count == 1)
    }

    @Test("too many texts at a time, and styles that are too large, are left out too")
    func costsTogether() throws {
        for index in 0..<3_000 { renderer.append(try Self.text("Together \(index)", 0, 1_000), style: Self.style) }
        #expect(!tiles(500).isEmpty)
        let style = try #require(Self.style)
        for (old, new) in [(",Arial,16,", ",Arial,50000,"), ("PlayResY: 288", "PlayResY: 1")] {
            let large = SubtitleStyle(header: style.header.replacing(old, with: new))
            renderer.append(try Self.text("Large", 2_000, 3_000), style: large)
        }
        #expect(tiles(2_500).isEmpty)
    }

    @Test("texts in too many fonts are left out")
    func fontNames() throws {
        for index in 0..<100 {
            let text = "{\\fnNone \(index)}Font"
            renderer.append(try Self.text(text, Int64(index) * 10, Int64(index) * 10 + 10), style: Self.style)
        }
        #expect(!tiles(0).isEmpty && !tiles(600).isEmpty && tiles(700).isEmpty && tiles(990).isEmpty)
        let text = (0..<100).map { "{\\fnOther \($0)}F" }.joined()
        renderer.append(try Self.text(text, 2_000, 3_000), style: Self.style)
        #expect(tiles(2_500).isEmpty)
    }

    @Test("what signs in films ask for is drawn")
    func signs() throws {
        for text in [
            "{\\fs120\\bord8\\blur6}EXIT", "{\\p1}m 0 0 l 384 0 384 288 0 288{\\p0}", "{\\frx20\\fry30\\fs60}SHOP",
            "{\\fscx400\\fscy400\\p1}m 0 0 l 50 0 50 50{\\p0}", String(repeating: "{\\k20}la ", count: 40),
        ] {
            renderer.removeAll()
            renderer.append(try Self.text(text, 0, 1_000), style: Self.style)
            #expect(!tiles(500).isEmpty, "\(text)")
        }
    }

    // MARK: Images

    @Test("images are shown as they are, at their places")
    func images() throws {
        renderer.append(try Self.image(x: 0.2, 1_000, 2_000))
        renderer.append(try Self.image(x: 0.6, 1_500, 2_500))
        #expect(tiles(999).isEmpty && tiles(2_500).isEmpty)
        #expect(tiles(1_000).map(\.place.x) == [0.2] && tiles(1_500).map(\.place.x) == [0.2, 0.6])
        #expect(tiles(2_499).map(\.place.x) == [0.6])
        let tile = try #require(tiles(1_000).first)
        #expect(tile.pixels.first == SIMD4(9, 8, 7, 255) && tile.pixels.last == SIMD4(1, 2, 3, 128))
        #expect(tile.image === tiles(1_600).first?.image)
        #expect(nextChange(1_000) == Self.milliseconds(1_500) && nextChange(1_500) == Self.milliseconds(2_000))
    }

    @Test("too many images push out those that ended first")
    func imageBounds() throws {
        for index in 0..<Int64(9) {
            renderer.append(try Self.image(x: 0.2, width: 1_024, height: 1_024, index * 10, index * 10 + 10))
        }
        #expect(tiles(5).isEmpty && tiles(15).count == 1 && tiles(85).count == 1)
    }

    // MARK: Cards

    @Test("a card is one tile on the lower third", arguments: [(640, 360), (1_920, 1_080), (360, 640), (100, 400)])
    func card(_ size: (Int, Int)) throws {
        let renderer = try SubtitleRenderer(width: size.0, height: size.1)
        let long = String(repeating: "A very long title ", count: 20)
        for card in [
            TextCard(title: "So What", artist: "Miles Davis", album: "Kind of Blue"), TextCard(title: "Alone"),
            TextCard(title: long, artist: long, album: long),
        ] {
            let tile = try #require(renderer.tile(of: card))
            #expect(tile.place.y >= 0.66 && tile.place.y + tile.place.height < 1)
            #expect(tile.pixels.count { $0.w == 255 && $0.x > 250 && $0.y > 250 && $0.z > 250 } > 20)
        }
        #expect(renderer.tile(of: TextCard(title: " ")) == nil)
    }

    @Test("what looks like an override in a title is drawn as it is")
    func cardEscapes() throws {
        let plain = try #require(renderer.tile(of: TextCard(title: "fs99")))
        let odd = try #require(renderer.tile(of: TextCard(title: "{\\fs99}")))
        #expect(odd.image.width > plain.image.width && odd.image.height < 2 * plain.image.height)
        let broken = try #require(renderer.tile(of: TextCard(title: "one\\Ntwo\ntwo")))
        #expect(broken.image.height < 2 * plain.image.height)
    }

    @Test("a card in between leaves subtitles as they are")
    func cardBetween() throws {
        renderer.append(try Self.text("Below", 0, 1_000), style: Self.style)
        let place = try #require(tiles(100).first).place
        _ = renderer.tile(of: TextCard(title: "Card"))
        #expect(tiles(200).map(\.place) == [place])
    }
}

extension SubtitleTile {
    /// Blue, green, red and opacity, row by row.
    var pixels: [SIMD4<UInt8>] {
        image.withPlane(0) { plane in
            (0..<image.height).flatMap { row in
                (0..<image.width).map { column in
                    plane.bytes.loadUnaligned(
                        fromByteOffset: row * plane.bytesPerRow + 4 * column, as: SIMD4<UInt8>.self)
                }
            }
        }
    }
}
