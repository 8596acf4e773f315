import Testing
import TuttiCore
import TuttiWire

@Suite struct MediaPacketTests {
    private func packet(payload: [UInt8] = [1, 2, 3], frames: UInt32 = 4096) throws -> MediaPacket {
        MediaPacket(
            streamID: 0xDEAD_BEEF, generation: 3, formatID: 2,
            presentation: try #require(MediaTime(value: -44_100, timescale: 44_100)), frameCount: frames,
            trimAtStart: 12, trimAtEnd: 7, payload: payload)
    }

    @Test func roundTrip() throws {
        let original = try packet()
        var decoder = FrameDecoder()
        decoder.append(original.encodedFrame())
        let frame = try #require(try decoder.next())
        guard case .media(let body) = frame else {
            Issue.record("not media")
            return
        }
        #expect(body.count == MediaPacket.headerBytes + 3)
        #expect(try MediaPacket(parsing: body) == original)
    }

    @Test func layoutIsAsDocumented() throws {
        let bytes = try packet().encodedFrame()
        #expect(bytes[0..<5] == [0, 0, 0, 39, 1])
        #expect(bytes[5..<9] == [0xDE, 0xAD, 0xBE, 0xEF])
        #expect(bytes[9..<13] == [0, 0, 0, 3])
        #expect(bytes[13..<17] == [0, 2, 0, 0])
        #expect(bytes[17..<25] == [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x53, 0xBC])
        #expect(bytes[25..<29] == [0, 0, 0xAC, 0x44])
        #expect(bytes[29..<33] == [0, 0, 0x10, 0])
        #expect(bytes[33..<41] == [0, 0, 0, 12, 0, 0, 0, 7])
        #expect(bytes[41...] == [1, 2, 3])
    }

    @Test func everyTruncationThrows() throws {
        let body = Array(try packet().encodedFrame()[5...])
        for count in 0..<MediaPacket.headerBytes {
            #expect(throws: WireError.self) { try MediaPacket(parsing: Array(body[0..<count])) }
        }
    }

    @Test func limitsHold() throws {
        let good = Array(try packet().encodedFrame()[5...])
        func broken(at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
            var copy = good
            copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            return copy
        }
        let cases = [
            broken(at: 20, [0, 0, 0, 0]), broken(at: 20, [0x80, 0, 0, 0]), broken(at: 12, [0x7F]),
            broken(at: 24, [0, 0x10, 0, 1]), broken(at: 28, [0, 0, 0x10, 0]), broken(at: 32, [0xFF, 0xFF, 0xFF, 0xFF]),
        ]
        for body in cases { #expect(throws: WireError.self) { try MediaPacket(parsing: body) } }
        let long = good + [UInt8](repeating: 0, count: WireLimits.mediaBytes)
        #expect(throws: WireError.self) { try MediaPacket(parsing: long) }
    }

    @Test func pcmLengthMustFit() throws {
        let format = try #require(AudioFormat(codec: .pcm, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        let right = MediaPacket(
            streamID: 1, generation: 0, formatID: 0, presentation: .zero, frameCount: 3,
            payload: [UInt8](repeating: 0, count: 12))
        #expect(try right.sampleBuffer(format: format).frameCount == 3)
        var wrong = right
        wrong.payload.removeLast()
        #expect(throws: WireError.self) { try wrong.sampleBuffer(format: format) }
    }

    @Test func whatParsesEncodesToTheSameBytes() throws {
        var random = SplitMix64(seed: 3)
        var parsed = 0
        let good = Array(try packet(payload: random.bytes(40)).encodedFrame()[5...])
        for _ in 0..<20_000 {
            var body = good
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                body[Int.random(in: 0..<body.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let packet = try? MediaPacket(parsing: body) else { continue }
            parsed += 1
            (body[10], body[11]) = (0, body[11] & 1)
            #expect(Array(packet.encodedFrame()[5...]) == body)
        }
        #expect(parsed > 1000 && parsed < 20_000)
    }
}
