import Testing
import TuttiCore
import TuttiWire

@Suite("Pictures on the wire")
struct PictureTests {
    private static let format = VideoFormat(
        codec: .h264, width: 1280, height: 720,
        pixelAspectRatio: PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3) ?? .square,
        magicCookie: [1, 100, 0])

    private static func picture(_ number: Int64, isSync: Bool = false, bytes: Int = 10) throws -> VideoSampleBuffer {
        let format = try #require(format)
        return try #require(
            VideoSampleBuffer(
                format: format, presentationTime: MediaTime(frame: number, sampleRate: 25),
                duration: MediaTime(frame: 1, sampleRate: 25), isSync: isSync,
                data: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(number)) }))
    }

    private static func frames(
        _ picture: VideoSampleBuffer, format: UInt16 = 3, generation: UInt32 = 0, beginsAnew: Bool = false
    ) -> [[UInt8]] {
        PicturePacket.packets(
            of: picture, streamID: 9, generation: generation, formatID: format, beginsAnew: beginsAnew
        ).map { $0.encodedFrame() }
    }

    private static func pictures(_ effects: [SpeakerEffect]) -> [VideoSampleBuffer] {
        effects.compactMap { if case .deliverPicture(let picture, _) = $0 { picture } else { nil } }
    }

    @Test func aFormatComesThroughWhole() throws {
        let format = try #require(Self.format)
        for codec in VideoFormat.Codec.allCases {
            let one = try #require(VideoFormat(codec: codec, width: 1, height: 16_384))
            let message = ControlMessage.pictureFormat(id: 65_535, one)
            #expect(try ControlMessage(parsing: message.encodedBody()) == message)
        }
        let message = ControlMessage.pictureFormat(id: 0, format)
        #expect(try ControlMessage(parsing: message.encodedBody()) == message)
    }

    @Test(arguments: [
        #"{"type":"pictureFormat","id":1,"codec":"h264","width":0,"height":720}"#,
        #"{"type":"pictureFormat","id":1,"codec":"h264","width":16384,"height":16384}"#,
        #"{"type":"pictureFormat","id":1,"codec":"film","width":16,"height":16}"#,
        #"{"type":"pictureFormat","id":1,"codec":"h264","width":16,"height":16,"pixelWidth":0}"#,
        #"{"type":"pictureFormat","id":1,"codec":"h264","width":16,"height":16,"magicCookie":"?"}"#,
        #"{"type":"pictureFormat","id":70000,"codec":"h264","width":16,"height":16}"#,
    ])
    func aFormatThatCannotBeIsRefused(text: String) {
        #expect(throws: WireError.self) { try ControlMessage(parsing: Array(text.utf8)) }
    }

    @Test func aWelcomeSaysWhatAScreenShows() throws {
        var welcome = SpeakerHarness.welcome
        welcome.pictureCodecs = ["h264", "vp9"]
        #expect(
            try ControlMessage(parsing: ControlMessage.welcome(welcome).encodedBody())
                == ControlMessage.welcome(welcome))
    }

    @Test func picturesAreDeliveredAsTheyWereSent() throws {
        let format = try #require(Self.format)
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        let sent = [try Self.picture(0, isSync: true), try Self.picture(3), try Self.picture(1)]
        _ = harness.receive(.pictureFormat(id: 3, format), on: control)
        let bytes = sent.flatMap { Self.frames($0, beginsAnew: $0.isSync).flatMap(\.self) }
        let effects = harness.receive(bytes, on: media)
        #expect(Self.pictures(effects) == sent)
        #expect(effects.first == .deliverPicture(sent[0], beginsAnew: true))
    }

    @Test func aLargePictureComesInParts() throws {
        let format = try #require(Self.format)
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        _ = harness.session.grant(freeBytes: 8 << 20, horizon: nil)
        _ = harness.receive(.pictureFormat(id: 3, format), on: control)
        let picture = try Self.picture(5, isSync: true, bytes: 2 * PicturePacket.maximumPayloadBytes + 1)
        let frames = Self.frames(picture)
        #expect(frames.count == 3)
        #expect(Self.pictures(harness.receive(frames[0], on: media)).isEmpty)
        #expect(Self.pictures(harness.receive(frames[1], on: media)).isEmpty)
        #expect(Self.pictures(harness.receive(frames[2], on: media)) == [picture])
    }

    @Test func aPartOfAnotherPictureEndsTheConnection() throws {
        let format = try #require(Self.format)
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        _ = harness.session.grant(freeBytes: 8 << 20, horizon: nil)
        _ = harness.receive(.pictureFormat(id: 3, format), on: control)
        let large = Self.frames(try Self.picture(5, bytes: PicturePacket.maximumPayloadBytes + 1))
        _ = harness.receive(large[0], on: media)
        #expect(harness.receive(Self.frames(try Self.picture(6))[0], on: media).closed.contains(media))
    }

    @Test func aPictureWithoutAnEndIsGivenUp() throws {
        let format = try #require(Self.format)
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        _ = harness.session.grant(freeBytes: 1 << 40, horizon: nil)
        _ = harness.receive(.pictureFormat(id: 3, format), on: control)
        let part = Self.frames(try Self.picture(5, bytes: PicturePacket.maximumPayloadBytes + 1))[0]
        let isClosed = (0..<20).contains { _ in harness.receive(part, on: media).closed.contains(media) }
        #expect(isClosed)
    }

    @Test func aPictureWaitsForItsFormatAndItsFlush() throws {
        let format = try #require(Self.format)
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        let pictures = [try Self.picture(0, isSync: true), try Self.picture(1)]
        let bytes = pictures.flatMap { Self.frames($0, generation: 1).flatMap(\.self) }
        #expect(Self.pictures(harness.receive(bytes, on: media)).isEmpty)
        #expect(
            Self.pictures(harness.receive(.pictureFormat(id: 3, format), on: control)).isEmpty)
        #expect(Self.pictures(harness.receive(.flush(generation: 1, from: nil), on: control)) == pictures)
    }

    @Test func aFlushOvertakesPicturesAndHalfOnes() throws {
        let format = try #require(Self.format)
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        _ = harness.session.grant(freeBytes: 8 << 20, horizon: nil)
        _ = harness.receive(.pictureFormat(id: 3, format), on: control)
        let half = Self.frames(try Self.picture(5, bytes: PicturePacket.maximumPayloadBytes + 1))[0]
        _ = harness.receive(half, on: media)
        _ = harness.receive(.flush(generation: 1, from: nil), on: control)
        let next = try Self.picture(7, isSync: true)
        #expect(Self.pictures(harness.receive(Self.frames(try Self.picture(6))[0], on: media)).isEmpty)
        #expect(Self.pictures(harness.receive(Self.frames(next, generation: 1)[0], on: media)) == [next])
    }

    @Test func picturesCountAgainstTheCredit() throws {
        let format = try #require(Self.format)
        var harness = SpeakerHarness()
        let (control, media) = harness.connect()
        _ = harness.receive(.pictureFormat(id: 3, format), on: control)
        let half = try Self.picture(1, bytes: 600_000)
        #expect(Self.pictures(harness.receive(Self.frames(half)[0], on: media)) == [half])
        #expect(harness.receive(Self.frames(half)[0], on: media).closed.contains(media))
    }

    @Test func moreFormatsThanAScreenKeepsEndTheConnection() throws {
        var harness = SpeakerHarness()
        let (control, _) = harness.connect()
        let format = try #require(Self.format)
        for id in 0..<UInt16(WireLimits.pictureFormats) {
            #expect(harness.receive(.pictureFormat(id: id, format), on: control).closed.isEmpty)
        }
        #expect(!harness.receive(.pictureFormat(id: 1_000, format), on: control).closed.isEmpty)
    }

    @Test func bodiesCutAnywhereAreRefusedOrRead() throws {
        let body = Array(Self.frames(try Self.picture(1))[0].dropFirst(Frame.headerBytes))
        for count in 0..<body.count {
            let packet = try? PicturePacket(parsing: Array(body.prefix(count)))
            #expect((packet == nil) == (count <= PicturePacket.headerBytes))
        }
        #expect(throws: WireError.self) {
            try PicturePacket(parsing: [UInt8](repeating: 255, count: PicturePacket.headerBytes + 1))
        }
    }
}
