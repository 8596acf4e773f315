import Foundation
import TestSupport
import Testing
import TuttiAssets
import TuttiCore

@Suite("The subtitles of a film on a timeline", .enabled(if: OutsideTool.hasFFmpeg, "ffmpeg is not installed"))
struct SubtitleReaderTests {
    private let shop: Workshop

    init() throws { shop = try Workshop() }

    private static let subRip = """
        1
        00:00:01,000 --> 00:00:02,500
        Good <i>evening</i>

        2
        00:00:04,000 --> 00:00:05,000
        Two
        lines

        3
        00:00:40,000 --> 00:00:41,000
        Late

        """
    private static let advanced = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 480

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
        Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
        MarginR, MarginV, Encoding
        Style: Sign,Arial,32,&H00FFFFFF,&H0,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,8,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 3,0:00:01.00,0:00:02.50,Sign,,0,0,0,,{\\pos(9,9)}Exit, left

        """

    private static func milliseconds(_ count: Int64) -> MediaTime { MediaTime(frame: count, sampleRate: 1_000) }
    private static let whole = MediaTime(frame: 1_000, sampleRate: 1)

    /// A film of 45 seconds with these files of subtitles in it.
    private func film(
        _ name: String, _ subtitles: [String], seconds: Double = 45, options: [String] = ["-c:s", "copy"]
    ) throws -> AssetInput {
        let sources = [
            "-f", "lavfi", "-i", "testsrc=size=64x36:rate=5:duration=\(seconds)", "-f", "lavfi", "-i",
            "sine=sample_rate=48000:duration=\(seconds)",
        ]
        let sound = ["mkv": "flac", "mp4": "alac"][name.suffix(3)] ?? "ac3"
        let inputs = subtitles.flatMap { ($0.hasSuffix(".sup") ? ["-fix_sub_duration"] : []) + ["-i", $0] }
        let maps = (0..<subtitles.count + 2).flatMap { ["-map", "\($0)"] }
        try shop.run(
            ["ffmpeg", "-v", "error", "-y"] + sources + inputs + maps
                + ["-copyts", "-c:v", "mpeg2video", "-g", "10", "-c:a", sound] + options + [name])
        return AssetInput(uri: shop.path(name))
    }

    private func span(_ input: AssetInput) -> PictureSpan { PictureSpan(serial: 1, input: input, start: .zero) }

    private func read(_ span: PictureSpan, _ place: SubtitleTrack.Place, from: MediaTime? = nil) throws -> [SubtitleCue]
    {
        let reader = SubtitleReader(span, place, from: from)
        let cues = try reader.readAll(until: Self.whole)
        #expect(reader.problem == nil && reader.isOver)
        return cues
    }

    // MARK: Tracks

    @Test("tracks are those of the medium and the files beside it")
    func tracks() throws {
        try shop.write(Self.subRip.utf8, to: "a.srt")
        try shop.write(Self.advanced.utf8, to: "b.ass")
        try shop.write(GraphicsShop(canvas: (1_920, 1_080)).file([Self.box]), to: "c.sup")
        let input = try film(
            "film.mkv", ["a.srt", "b.ass", "c.sup"],
            options: [
                "-c:s", "copy", "-metadata:s:s:0", "language=eng", "-metadata:s:s:0", "title=All", "-disposition:s:0",
                "0", "-disposition:s:1", "default+forced", "-disposition:s:2", "0",
            ])
        for name in [
            "film.srt", "film.de.forced.ass", "film.pt-BR.sdh.vtt", "film.txt", "other.srt", "filmed.srt", ".film.srt",
        ] {
            try shop.write("x".utf8, to: name)
        }
        let tracks = try SubtitleTrack.tracks(of: input)
        #expect(
            tracks == [
                SubtitleTrack(
                    id: .stream(2), codec: .subRip, language: "eng", title: "All", isDefault: false, isForced: false),
                SubtitleTrack(
                    id: .stream(3), codec: .ass, language: nil, title: nil, isDefault: true, isForced: true),
                SubtitleTrack(
                    id: .stream(4), codec: .pgs, language: nil, title: nil, isDefault: false, isForced: false),
                SubtitleTrack(
                    id: .file(shop.path("film.de.forced.ass")), codec: .ass, language: "de", title: nil,
                    isDefault: false, isForced: true),
                SubtitleTrack(
                    id: .file(shop.path("film.pt-BR.sdh.vtt")), codec: .webVTT, language: "pt-BR", title: "sdh",
                    isDefault: false, isForced: false),
                SubtitleTrack(
                    id: .file(shop.path("film.srt")), codec: .subRip, language: nil, title: nil, isDefault: false,
                    isForced: false),
            ])
        #expect(try FilmReader(input).subtitleTracks == Array(tracks.prefix(3)))
    }

    // MARK: Texts

    @Test("texts have their times, and come as events of a script", arguments: ["film.mkv", "film.mp4", "film.vtt"])
    func texts(_ name: String) throws {
        try shop.write(Self.subRip.utf8, to: "a.srt")
        var place = SubtitleTrack.Place.stream(2)
        let input: AssetInput
        switch name {
        case "film.mp4": input = try film(name, ["a.srt"], options: ["-c:s", "mov_text"])
        case "film.vtt":
            try shop.run("ffmpeg", "-v", "error", "-i", "a.srt", name)
            (place, input) = (.file(shop.path(name)), AssetInput(uri: shop.path("none.mkv")))
        default: input = try film(name, ["a.srt"])
        }
        let reader = SubtitleReader(span(input), place)
        let cues = try reader.readAll(until: Self.whole)
        #expect(reader.problem == nil)
        #expect(cues.map(\.start) == [1_000, 4_000, 40_000].map(Self.milliseconds))
        #expect(cues.map(\.end) == [2_500, 5_000, 41_000].map(Self.milliseconds))
        #expect(cues.map { $0.line.replacing("{\\i0}", with: "") } == ["Good {\\i1}evening", "Two\\Nlines", "Late"])
        #expect(try #require(reader.style).header.contains("Style: Default,"))
    }

    @Test("a script keeps its styles and places", arguments: [true, false])
    func script(_ isBeside: Bool) throws {
        try shop.write(Self.advanced.utf8, to: "b.ass")
        let place = isBeside ? SubtitleTrack.Place.file(shop.path("b.ass")) : .stream(2)
        let reader = SubtitleReader(span(try film("film.mkv", ["b.ass"], seconds: 5)), place)
        let cues = try reader.readAll(until: Self.whole)
        #expect(cues.count == 1 && cues.first?.fields?[1...2] == ["3", "Sign"])
        #expect(cues.first?.line == "{\\pos(9,9)}Exit, left")
        #expect(cues.first?.start == Self.milliseconds(1_000) && cues.first?.end == Self.milliseconds(2_500))
        #expect(try #require(reader.style).header.contains("Style: Sign,Arial,32"))
    }

    @Test("fonts in a script are left out of its style")
    func fonts() throws {
        let font = (0..<2_000).map { _ in String(repeating: "!", count: 80) }.joined(separator: "\n")
        let script = Self.advanced.replacing("[Events]", with: "[Fonts]\nfontname: a.ttf\n\(font)\n\n[Events]")
        let path = try shop.write(script.utf8, to: "b.ass")
        let reader = SubtitleReader(span(AssetInput(uri: shop.path("none.mkv"))), .file(path))
        #expect(try reader.readAll(until: Self.whole).map(\.line) == ["{\\pos(9,9)}Exit, left"])
        let header = try #require(reader.style).header
        #expect(header.contains("Style: Sign,") && header.contains("[Events]") && !header.contains("!!!!"))
    }

    @Test("texts in other character sets become UTF-8")
    func characterSets() throws {
        let text = "1\r\n00:00:01,000 --> 00:00:02,000\r\nDéjà vu – “œuvre” 5 €\r\n\r\n"
        let windows: [Character: UInt8] = [
            "é": 0xE9, "à": 0xE0, "–": 0x96, "“": 0x93, "”": 0x94, "œ": 0x9C, "€": 0x80,
        ]
        let units = Array(text.utf16)
        let files: [(String, [UInt8])] = [
            (
                "windows.srt",
                text.unicodeScalars.flatMap { $0.isASCII ? [UInt8($0.value)] : [windows[Character($0)] ?? 63] }
            ),
            ("little.srt", [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
            ("big.srt", [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
            ("marked.srt", [0xEF, 0xBB, 0xBF] + Array(text.utf8)),
        ]
        for (name, bytes) in files {
            let path = try shop.write(bytes, to: name)
            let cues = try read(span(AssetInput(uri: shop.path("none.mkv"))), .file(path))
            #expect(cues.map(\.line) == ["Déjà vu – “œuvre” 5 €"], "\(name)")
        }
        // Matroska wants UTF-8, and some files have something else.
        let input = try film("film.mkv", ["windows.srt"], seconds: 5)
        #expect(try read(span(input), .stream(2)).map(\.line) == ["Déjà vu – “œuvre” 5 €"])
    }

    // MARK: Places

    @Test("of a part that is stretched lie where its pictures do", arguments: [true, false])
    func stretched(_ isBeside: Bool) throws {
        try shop.write(Self.subRip.utf8, to: "a.srt")
        let input = try film("film.mkv", ["a.srt"])
        // From 1.5 s of the film on, at 100 s, twice as fast, until 4.8 s of it.
        let span = PictureSpan(
            serial: 1, input: input, start: Self.milliseconds(100_000), offset: Self.milliseconds(1_500), rate: 2,
            end: Self.milliseconds(101_650))
        let cues = try read(span, isBeside ? .file(shop.path("a.srt")) : .stream(2))
        #expect(cues.map(\.start) == [100_000, 101_250].map(Self.milliseconds))
        #expect(cues.map(\.end) == [100_500, 101_650].map(Self.milliseconds))
    }

    @Test("from a time on come those that are shown then", arguments: [true, false])
    func from(_ isBeside: Bool) throws {
        try shop.write(Self.subRip.utf8, to: "a.srt")
        let input = try film("film.mkv", ["a.srt"])
        let place = isBeside ? SubtitleTrack.Place.file(shop.path("a.srt")) : .stream(2)
        #expect(try read(span(input), place, from: Self.milliseconds(4_500)).map(\.line) == ["Two\\Nlines", "Late"])
        #expect(try read(span(input), place, from: Self.milliseconds(5_000)).map(\.line) == ["Late"])
        #expect(try read(span(input), place, from: Self.milliseconds(40_500)).map(\.line) == ["Late"])
        #expect(try read(span(input), place, from: Self.milliseconds(42_000)).isEmpty)
    }

    @Test("of a part of a file have its beginning as zero", arguments: [true, false])
    func part(_ isBeside: Bool) throws {
        try shop.write(Self.subRip.utf8, to: "a.srt")
        var input = try film("film.mkv", ["a.srt"])
        (input.start, input.end) = (Self.milliseconds(2_000), Self.milliseconds(4_500))
        let cues = try read(span(input), isBeside ? .file(shop.path("a.srt")) : .stream(2))
        #expect(cues.map(\.start) == [0, 2_000].map(Self.milliseconds))
        #expect(cues.map(\.end) == [500, 2_500].map(Self.milliseconds))
    }

    @Test("no more is read than is asked for")
    func until() throws {
        try shop.write(Self.subRip.utf8, to: "a.srt")
        let input = try film("film.mkv", ["a.srt"])
        for place in [SubtitleTrack.Place.stream(2), .file(shop.path("a.srt"))] {
            let reader = SubtitleReader(span(input), place)
            #expect(try reader.next(until: Self.milliseconds(1_000)) == nil)
            #expect(try reader.next(until: Self.milliseconds(1_001))?.line == "Good {\\i1}evening{\\i0}")
            #expect(try reader.next(until: Self.milliseconds(3_000)) == nil && !reader.isOver)
            #expect(try reader.readAll(until: Self.milliseconds(20_000)).map(\.line) == ["Two\\Nlines"])
            #expect(!reader.isOver)
            #expect(try reader.readAll(until: Self.whole).map(\.line) == ["Late"] && reader.isOver)
        }
    }

    // MARK: Images

    private static let box = GraphicsShop.Box(x: 480, y: 900, width: 960, height: 108, start: 1_000, end: 3_000)

    @Test("images have their places, until they are cleared", arguments: ["copy", "dvbsub", "dvdsub"])
    func images(_ coding: String) throws {
        let boxes = [Self.box, GraphicsShop.Box(x: 96, y: 108, width: 192, height: 54, start: 6_000, end: 7_500)]
        // The coders of DVDs and broadcasts put a canvas of 720 × 576 below what they are given.
        let scale = coding == "copy" ? 1.0 : 1_920.0 / 720
        let small = boxes.map { box in
            var box = box
            (box.x, box.width) = (Int(Double(box.x) / scale), Int(Double(box.width) / scale))
            let rows = coding == "copy" ? 1 : 1_080.0 / 576
            (box.y, box.height) = (Int(Double(box.y) / rows), Int(Double(box.height) / rows))
            return box
        }
        let canvas = coding == "copy" ? (1_920, 1_080) : (720, 576)
        try shop.write(GraphicsShop(canvas: canvas).file(small), to: "c.sup")
        let input = try film("film.mkv", ["c.sup"], seconds: 12, options: ["-c:s", coding])
        let cues = try read(span(input), .stream(2))
        try #require(cues.count == 2)
        for (cue, box) in zip(cues, boxes) {
            #expect(abs(cue.start.seconds - Double(box.start) / 1_000) < 0.06, "\(cue.start.seconds)")
            #expect(abs(cue.end.seconds - Double(box.end ?? 0) / 1_000) < 0.06, "\(cue.end.seconds)")
            let image = try #require(cue.image)
            #expect(abs(image.place.x - Double(box.x) / 1_920) < 0.005)
            #expect(abs(image.place.y - Double(box.y) / 1_080) < 0.005)
            #expect(abs(image.place.width - Double(box.width) / 1_920) < 0.005)
            #expect(abs(image.place.height - Double(box.height) / 1_080) < 0.005)
            let (pixel, count) = (Array(image.bgra.prefix(4)), image.width * image.height)
            #expect(pixel.allSatisfy { $0 > 225 } && image.bgra == (0..<count).flatMap { _ in pixel })
        }
    }

    @Test("images in a recording of a broadcast lie where its sound does")
    func broadcast() throws {
        try shop.write(
            GraphicsShop(canvas: (720, 576)).file([
                .init(x: 90, y: 480, width: 540, height: 48, start: 2_000, end: 4_000)
            ]), to: "c.sup")
        let input = try film("film.ts", ["c.sup"], seconds: 12, options: ["-c:s", "dvbsub"])
        let cues = try read(span(input), .stream(2))
        #expect(cues.count == 1 && abs((cues.first?.start.seconds ?? 0) - 2) < 0.06)
    }

    @Test("an image that stays is said again, and ends with the next one or with the film")
    func longImages() throws {
        let boxes = [
            GraphicsShop.Box(x: 96, y: 900, width: 192, height: 54, start: 1_000),
            GraphicsShop.Box(x: 960, y: 900, width: 192, height: 54, start: 26_000),
        ]
        try shop.write(GraphicsShop(canvas: (1_920, 1_080)).file(boxes), to: "c.sup")
        let input = try film("film.mkv", ["c.sup"], seconds: 30)
        let reader = SubtitleReader(span(input), .stream(2))
        // Read as far as the first one's beginning only: its end is looked for, and no further.
        let first = try #require(try reader.next(until: Self.milliseconds(1_500)))
        #expect(first.start == Self.milliseconds(1_000) && first.end == Self.milliseconds(11_000))
        #expect(try reader.next(until: Self.milliseconds(1_500)) == nil)
        let cues = [first] + (try reader.readAll(until: Self.whole))
        #expect(cues.map(\.start) == [1_000, 11_000, 21_000, 26_000].map(Self.milliseconds))
        #expect(cues.prefix(3).map(\.end) == [11_000, 21_000, 26_000].map(Self.milliseconds))
        #expect(cues.prefix(3).allSatisfy { $0.image == first.image } && cues.last?.image != first.image)
        #expect(cues.last.map { $0.end.seconds >= 29.5 } ?? false)
    }

    @Test("what lies in black bars that the film has lost moves into it; a large image is shrunk")
    func fits() throws {
        let white = [UInt32](repeating: 0xFFFF_FFFF, count: 2)
        func bitmap(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> SubtitleBitmap {
            try #require(
                SubtitleBitmap(
                    canvas: (1_920, 1_080), origin: (x, y), size: (width, height),
                    indices: [UInt8](repeating: 1, count: width * height), palette: white))
        }
        let low = try #require(try bitmap(480, 1_000, 960, 40).image(.uncropped(width: 1_280, height: 534)))
        #expect(abs(low.place.x - 0.25) < 1e-9 && abs(low.place.y + low.place.height - 1) < 1e-9)
        #expect(abs(low.place.width - 0.5) < 1e-9 && abs(low.place.height - 40 / 801.0) < 1e-3)
        let inside = try #require(try bitmap(480, 540, 960, 40).image(.uncropped(width: 1_280, height: 534)))
        #expect(abs(inside.place.y - 0.5) < 1e-9)
        let large = try #require(try bitmap(0, 0, 1_920, 1_080).image(.stretched))
        #expect(large.width == 960 && large.height == 540 && large.place.width == 1)
        #expect(large.bgra.allSatisfy { $0 == 255 })
        // Beyond the canvas there is nothing, and nothing that is transparent counts.
        let beyond = try #require(try bitmap(-100, 1_000, 200, 100).image(.stretched))
        #expect(beyond.width == 100 && beyond.height == 80 && beyond.place.x == 0)
        #expect(try bitmap(1_920, 0, 10, 10).image(.stretched) == nil)
        #expect(
            SubtitleBitmap(
                canvas: (10, 10), origin: (0, 0), size: (2, 1), indices: [0, 7], palette: [0, 255])?
                .image(.stretched) == nil)
    }

    // MARK: Problems

    @Test("a damaged cue is left out, and the rest is there")
    func damaged() throws {
        let long = String(repeating: "x", count: 20_000)
        let text = """
            1
            00:00:01,000 --> 00:00:02,000
            One

            2
            00:00:99 -> nonsense
            Lost

            3
            00:00:03,000 --> 00:00:02,000
            Backwards

            4
            00:00:04,000 --> 00:00:05,000
            \(long)

            5
            00:00:06,000 --> 00:00:07,000
            Last

            """
        let path = try shop.write(text.utf8, to: "a.srt")
        let lines = try read(span(AssetInput(uri: shop.path("none.mkv"))), .file(path)).map(\.line)
        #expect(lines.first?.hasPrefix("One") == true && lines.last == "Last")
        #expect(!lines.contains { $0 == long })
    }

    @Test("what cannot be read is a problem, and nothing is shown")
    func problems() throws {
        let input = try film("film.mkv", [], seconds: 2)
        let huge = try shop.write([UInt8](repeating: 10, count: 5 << 20), to: "huge.srt")
        let places: [SubtitleTrack.Place] = [
            .stream(0), .stream(9), .stream(-1), .file(shop.path("none.srt")), .file(shop.path("film.mkv")),
            .file(huge), .file(shop.folder.path),
        ]
        for place in places {
            let reader = SubtitleReader(span(input), place)
            #expect(try reader.readAll(until: Self.whole).isEmpty)
            #expect(reader.problem != nil && reader.isOver, "\(place)")
        }
        let reader = SubtitleReader(span(input), .file(try shop.write(Self.subRip.utf8, to: "a.srt")))
        reader.interrupter.interrupt()
        #expect(throws: AssetError.self) { try reader.readAll(until: Self.whole) }
    }

    @Test("a file has as many cues as it may have")
    func many() throws {
        let text = (0..<20_100).map { "\($0)\n00:00:01,000 --> 00:00:02,000\n\($0)\n\n" }.joined()
        let reader = SubtitleReader(
            span(AssetInput(uri: "none")), .file(try shop.write(text.utf8, to: "a.srt")))
        #expect(try reader.readAll(until: Self.whole).count == 20_000)
        #expect(reader.problem?.contains("20000") == true)
    }

    @Test("hostile files do no harm")
    func hostile() throws {
        try shop.write(GraphicsShop(canvas: (720, 576)).file([Self.box]), to: "c.sup")
        try shop.write(Self.subRip.utf8, to: "a.srt")
        try shop.write(Self.advanced.utf8, to: "b.ass")
        try shop.run("ffmpeg", "-v", "error", "-i", "a.srt", "d.vtt")
        let options = ["-c:s:0", "copy", "-c:s:1", "dvbsub", "-c:s:2", "dvdsub", "-c:s:3", "copy"]
        _ = try film("film.mkv", ["c.sup", "c.sup", "c.sup", "b.ass"], seconds: 4, options: options)
        let originals = try ["a.srt", "b.ass", "d.vtt", "film.mkv"].map { name in
            (name, [UInt8](try Data(contentsOf: shop.folder.appendingPathComponent(name))))
        }
        var run = FuzzRun("subtitles", seed: 11)
        var round = 0
        while !run.isOver {
            var (name, bytes) = originals[round % originals.count]
            for _ in 0..<1 + run.random.next() % 40 {
                bytes[Int(run.random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: run.random.next())
            }
            name = "hostile-" + name
            let path = try shop.write(bytes, to: name)
            let place = name.hasSuffix("mkv") ? SubtitleTrack.Place.stream(2 + round / 4 % 4) : .file(path)
            let reader = SubtitleReader(span(AssetInput(uri: path)), place)
            _ = try reader.readAll(until: Self.whole)
            round += 1
        }
    }
}

extension SubtitleReader {
    /// Everything from here to a time.
    func readAll(until time: MediaTime) throws -> [SubtitleCue] {
        var cues: [SubtitleCue] = []
        while let cue = try next(until: time) { cues.append(cue) }
        return cues
    }
}

extension SubtitleCue {
    /// Of an event: `ReadOrder, Layer, Style, Name, MarginL, MarginR, MarginV, Effect, Text`.
    var fields: [Substring]? {
        guard case .text(let text) = content else { return nil }
        return text.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
    }

    /// The text of an event.
    var line: String { fields?.last.map { String($0) } ?? "" }

    var image: SubtitleImage? {
        guard case .image(let image) = content else { return nil }
        return image
    }
}
