import Testing
import TuttiCore
import TuttiWire

@Suite("Packets without sound lead the next one that has some")
struct PrerollTests {
    private var harness = SpeakerHarness()
    private let media: ConnectionID
    private let control: ConnectionID
    private let format: AudioFormat

    init() throws {
        format = try #require(AudioFormat(codec: .mp3, sampleRate: 48_000, channelCount: 2, bitDepth: 16))
        (control, media) = harness.connect()
        _ = harness.receive(.format(id: 1, format), on: control)
        _ = harness.receive(.format(id: 2, format), on: control)
    }

    private func packet(
        _ byte: UInt8, trim: UInt32 = 0, frames: UInt32 = 480, restarts: Bool = false, format: UInt16 = 1,
        generation: UInt32 = 0, bytes: Int = 3
    ) -> [UInt8] {
        MediaPacket(
            streamID: 9, generation: generation, formatID: format, presentation: .zero, frameCount: frames,
            trimAtStart: trim, restartsDecoder: restarts, payload: [UInt8](repeating: byte, count: bytes)
        ).encodedFrame()
    }

    private mutating func delivered(_ packets: [UInt8]...) -> [SampleBuffer] {
        packets.flatMap { harness.receive($0, on: media) }.compactMap {
            if case .deliver(let buffer) = $0 { buffer } else { nil }
        }
    }

    private func lead(_ bytes: UInt8...) throws -> [PrerollPacket] {
        try bytes.map { try #require(PrerollPacket(frameCount: 480, data: [$0, $0, $0])) }
    }

    @Test mutating func theyComeWithItAndWithNoOther() throws {
        let buffers = delivered(
            packet(1), packet(2, trim: 480, restarts: true), packet(3, trim: 480), packet(4, trim: 5), packet(5),
            packet(6, restarts: true))
        #expect(buffers.map(\.preroll) == [nil, try lead(2, 3), nil, []])
        #expect(buffers.map(\.audibleFrameCount) == [480, 475, 480, 480])
    }

    @Test mutating func withoutABeginningTheyAreDropped() throws {
        #expect(delivered(packet(1, trim: 480), packet(2)).map(\.preroll) == [nil])
        #expect(delivered(packet(1, frames: 0), packet(2)).map(\.preroll) == [nil])
    }

    @Test mutating func theyDoNotSurviveAFlush() throws {
        #expect(delivered(packet(1, trim: 480, restarts: true)).isEmpty)
        _ = harness.receive(.flush(generation: 1, from: nil), on: control)
        #expect(delivered(packet(2, generation: 1)).map(\.preroll) == [nil])
    }

    @Test mutating func thoseOfAnotherFormatBeginAnewOnly() throws {
        #expect(delivered(packet(1, trim: 480, restarts: true), packet(2, format: 2)).map(\.preroll) == [[]])
    }

    @Test mutating func theirNumberAndSizeAreBounded() {
        var effects = harness.receive(packet(0, trim: 480, restarts: true), on: media)
        for _ in 0..<WireLimits.prerollPackets where effects.isEmpty {
            effects = harness.receive(packet(0, trim: 480), on: media)
        }
        #expect(effects.contains { if case .close = $0 { true } else { false } })
        var other = SpeakerHarness()
        let (control, media) = other.connect()
        _ = other.receive(.format(id: 1, format), on: control)
        var closing = other.receive(packet(0, trim: 480, restarts: true, bytes: 200_000), on: media)
        #expect(closing.isEmpty)
        closing = other.receive(packet(0, trim: 480, bytes: 100_000), on: media)
        #expect(closing.contains { if case .close = $0 { true } else { false } })
    }

    @Test mutating func aBufferArrivesAsItWasSent() throws {
        let preroll = try lead(7, 8)
        var sender = SenderSession(senderID: "desk", senderName: "", streamID: 9)
        for preroll in [nil, [], preroll] as [[PrerollPacket]?] {
            let buffer = try #require(
                SampleBuffer(
                    format: format, presentationTime: .zero, frameCount: 480, trimAtStart: 3, data: [1, 2],
                    preroll: preroll))
            #expect(buffer.parts.reduce(0) { $0 + $1.data.count } == buffer.byteCount)
            var arrived: [SampleBuffer] = []
            for part in buffer.parts { arrived += delivered(sender.packetHeader(for: part, formatID: 1) + part.data) }
            #expect(arrived == [buffer])
        }
    }
}
