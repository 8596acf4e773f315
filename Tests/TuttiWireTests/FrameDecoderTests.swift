import Testing
import TuttiCore
import TuttiWire

@Suite struct FrameDecoderTests {
    @Test func framesSurviveAnyCutting() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<50 {
            let bodies = (0..<20).map { _ in random.bytes(Int.random(in: 0...400, using: &random)) }
            let frames = bodies.enumerated().map { $0 % 2 == 0 ? Frame.control($1) : Frame.media($1) }
            let stream = bodies.enumerated().flatMap { index, body in
                Frame.header(index % 2 == 0 ? .control : .media, bodyCount: body.count) + body
            }
            var decoder = FrameDecoder()
            var found: [Frame] = []
            var index = 0
            while index < stream.count {
                let end = min(stream.count, index + Int.random(in: 1...97, using: &random))
                decoder.append(stream[index..<end])
                while let frame = try decoder.next() { found.append(frame) }
                index = end
            }
            #expect(found == frames)
            #expect(decoder.bufferedCount == 0)
        }
    }

    @Test func lengthIsCheckedBeforeTheBodyComes() {
        var decoder = FrameDecoder()
        decoder.append([0x00, 0x01, 0x00, 0x01, 0])
        #expect(throws: WireError.frameTooLong(type: 0, length: 65_537, limit: 65_536)) { try decoder.next() }
        decoder = FrameDecoder()
        decoder.append([0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(throws: WireError.frameTooLong(type: 1, length: 4_294_967_295, limit: 1_048_576)) { try decoder.next() }
    }

    @Test func longestFramesPass() throws {
        for kind in Frame.Kind.allCases {
            let limit = kind == .control ? 65_536 : 1_048_576
            var decoder = FrameDecoder()
            decoder.append(Frame.header(kind, bodyCount: limit) + [UInt8](repeating: 7, count: limit))
            switch try decoder.next() {
            case .control(let body), .media(let body), .picture(let body), .caption(let body):
                #expect(body.count == limit)
            case nil: Issue.record("no frame")
            }
        }
    }

    @Test func unknownTypesThrow() {
        for type in UInt8(4)...255 {
            var decoder = FrameDecoder()
            decoder.append([0, 0, 0, 0, type])
            #expect(throws: WireError.unknownFrameType(type)) { try decoder.next() }
        }
    }

    @Test func noiseNeverTraps() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<2000 {
            var decoder = FrameDecoder()
            var noise = random.bytes(Int.random(in: 0...64, using: &random))
            if noise.count > 5, Bool.random(using: &random) { (noise[0], noise[1], noise[2]) = (0, 0, 0) }
            decoder.append(noise)
            do {
                while let frame = try decoder.next() {
                    switch frame {
                    case .control(let body): _ = try? ControlMessage(parsing: body)
                    case .media(let body): _ = try? MediaPacket(parsing: body)
                    case .picture(let body): _ = try? PicturePacket(parsing: body)
                    case .caption(let body): _ = try? CaptionPacket(parsing: body)
                    }
                }
                #expect(decoder.bufferedCount <= noise.count)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
