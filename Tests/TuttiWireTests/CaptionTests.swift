import Testing
import TuttiCore
import TuttiWire

@Suite("Texts above pictures on the wire")
struct CaptionTests {
    private static func time(_ milliseconds: Int64) -> MediaTime { MediaTime(frame: milliseconds, sampleRate: 1_000) }

    private static func text(_ text: String, style: String = "[Script Info]\n") throws -> Caption {
        let cue = try #require(SubtitleCue(start: time(1_000), end: time(3_500), content: .text(text)))
        let style = try #require(SubtitleStyle(header: style))
        return .cue(cue, style: style)
    }

    private static func image(width: Int, height: Int, x: Double = 0.1, _ pixel: (Int) -> UInt8) throws -> Caption {
        let place = try #require(SubtitleImage.Place(x: x, y: 0.75, width: 1 - x, height: 0.25))
        let pixels = (0..<4 * width * height).map { pixel($0) }
        let image = try #require(SubtitleImage(place: place, width: width, height: height, bgra: pixels))
        return .cue(try #require(SubtitleCue(start: time(1_000), end: time(3_500), content: .image(image))), style: nil)
    }

    private static func delivered(_ effects: [SpeakerEffect]) -> [Caption] {
        effects.compactMap { if case .deliverCaption(let caption) = $0 { caption } else { nil } }
    }

    /// What a speaker makes of it.
    private static func carried(_ caption: Caption) throws -> [Caption] {
        var harness = SpeakerHarness()
        let (_, media) = harness.connect()
        var packet = try #require(CaptionPacket(caption))
        packet.streamID = 9
        return delivered(harness.receive(packet.encodedFrame(), on: media))
    }

    @Test func textsAreDeliveredAsTheyWereSent() throws {
        let card = TextCard(title: "So What", artist: nil, album: "Kind of Blue")
        for caption in [
            try Self.text("0,0,Default,,0,0,0,,Où est-il ?"), .end(Self.time(77)),
            .card(card, TimeRange(start: .zero, end: Self.time(9_000))),
            .card(TextCard(title: ""), TimeRange(start: .zero, end: Self.time(1))),
        ] {
            #expect(try Self.carried(caption) == [caption])
        }
    }

    @Test func imagesComeWithEveryPixelAndInTheirPlace() throws {
        for caption in [
            try Self.image(width: 300, height: 250, x: 0.25) { $0 / 4_000 % 2 == 0 ? 0 : 255 },
            try Self.image(width: 17, height: 3, x: 0.25) { UInt8(truncatingIfNeeded: $0 &* 91) },
            try Self.image(width: 1_000, height: 100, x: 0.25) { _ in 7 },
        ] {
            #expect(try Self.carried(caption) == [caption])
        }
        // Millionths at most, and never beyond the edge.
        guard
            case .cue(let odd, _)? = try Self.carried(try Self.image(width: 2, height: 2, x: 1.0 / 3) { _ in 1 }).first,
            case .image(let image) = odd.content
        else {
            Issue.record("no image")
            return
        }
        #expect(abs(image.place.x - 1.0 / 3) <= 1e-6 && image.place.x + image.place.width <= 1)
    }

    @Test func whatIsLongIsCutOrNotSent() throws {
        let long = String(repeating: "é", count: 1_000)
        let card = Caption.card(TextCard(title: long), TimeRange(start: .zero, end: Self.time(9)))
        guard case .card(let carried, _)? = try Self.carried(card).first else {
            Issue.record("no card")
            return
        }
        #expect(carried.title.utf8.count == 256 && long.hasPrefix(carried.title))
        // No two pixels beside each other are alike: six bytes for four.
        let noise = try Self.image(width: 1_000, height: 400) { UInt8(truncatingIfNeeded: $0 / 4) }
        #expect(CaptionPacket(noise) == nil)
        let cue = try #require(SubtitleCue(start: .zero, end: Self.time(9), content: .text("0")))
        #expect(CaptionPacket(.cue(cue, style: nil)) == nil)
    }

    @Test func aFlushOvertakesThemAndTheyCountAgainstTheCredit() throws {
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        let text = try Self.text("0", style: String(repeating: " ", count: 65_000))
        var packet = try #require(CaptionPacket(text))
        packet.streamID = 9
        _ = harness.receive(.flush(generation: 1, from: nil), on: control)
        #expect(Self.delivered(harness.receive(packet.encodedFrame(), on: media)).isEmpty)
        packet.generation = 1
        let counts = (0..<20).map { _ in Self.delivered(harness.receive(packet.encodedFrame(), on: media)).count }
        #expect(counts.prefix(10).allSatisfy { $0 == 1 } && counts.last == 0)
    }

    @Test func bodiesCutOrChangedAnywhereAreRefusedOrRead() throws {
        var random = SplitMix64(seed: 3)
        for caption in [
            try Self.text("0,0,Default,,0,0,0,,text"), try Self.image(width: 5, height: 4) { UInt8($0) },
            .card(TextCard(title: "a", artist: "b"), TimeRange(start: .zero, end: Self.time(9))), .end(.zero),
        ] {
            let frame = try #require(CaptionPacket(caption)).encodedFrame()
            let body = Array(frame.dropFirst(Frame.headerBytes))
            for _ in 0..<2_000 {
                var changed = Array(body.prefix(Int.random(in: 0...body.count, using: &random)))
                for _ in 0..<2 {
                    if let index = changed.indices.randomElement(using: &random) {
                        changed[index] = .random(in: 0...255, using: &random)
                    }
                }
                var harness = SpeakerHarness()
                let (_, media) = harness.connect()
                let effects = harness.receive(Frame.header(.caption, bodyCount: changed.count) + changed, on: media)
                #expect(Self.delivered(effects).count <= 1)
            }
        }
    }

    @Test func aWelcomeSaysWhetherAScreenShowsThem() throws {
        var welcome = SpeakerHarness.welcome
        #expect(!welcome.showsCaptions)
        welcome.features.append(Welcome.captionsFeature)
        guard case .welcome(let read) = try ControlMessage(parsing: ControlMessage.welcome(welcome).encodedBody())
        else {
            Issue.record("no welcome")
            return
        }
        #expect(read.showsCaptions)
    }
}
