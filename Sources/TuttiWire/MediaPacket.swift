package import TuttiCore

/// A run of audio on its way: the body of a frame of type 1.
///
/// Big-endian: `u32 stream | u32 generation | u16 format | u16 flags | i64 value | u32 timescale | u32 frames |
/// u32 trim at start | u32 trim at end |
/// payload`. Of the flags the lowest is `restartsDecoder`; the others are sent as 0 and ignored.
package struct MediaPacket: Sendable, Equatable {
    /// Bytes before the payload.
    package static let headerBytes = 36
    /// The longest payload, in bytes.
    package static let maximumPayloadBytes = WireLimits.mediaBytes - headerBytes

    private static let restartFlag: UInt16 = 1

    /// Names the programme, as in the sender's hello.
    package var streamID: UInt32
    /// Orders the packet against flushes.
    package var generation: UInt32
    /// Names the format, as announced.
    package var formatID: UInt16
    /// Media time of the first frame heard.
    package var presentation: MediaTime
    /// Frames that the payload decodes to, before trimming.
    package var frameCount: UInt32
    /// Frames to drop from the front.
    package var trimAtStart: UInt32
    /// Frames to drop from the back.
    package var trimAtEnd: UInt32
    /// Whether the decoder forgets what came before.
    package var restartsDecoder: Bool
    /// The coded audio.
    package var payload: [UInt8]

    /// A packet.
    package init(
        streamID: UInt32, generation: UInt32, formatID: UInt16, presentation: MediaTime, frameCount: UInt32,
        trimAtStart: UInt32 = 0, trimAtEnd: UInt32 = 0, restartsDecoder: Bool = false, payload: [UInt8]
    ) {
        self.streamID = streamID
        self.generation = generation
        self.formatID = formatID
        self.presentation = presentation
        self.frameCount = frameCount
        self.trimAtStart = trimAtStart
        self.trimAtEnd = trimAtEnd
        self.restartsDecoder = restartsDecoder
        self.payload = payload
    }

    /// A packet of a frame's body.
    ///
    /// - Throws: `malformedPacket` when it is too short, a count is beyond its limit or the trims exceed the frames.
    package init(parsing body: [UInt8]) throws(WireError) {
        guard body.count >= Self.headerBytes else {
            throw .malformedPacket("too short for a header (\(body.count) bytes)")
        }
        guard body.count <= WireLimits.mediaBytes else { throw .malformedPacket("too long (\(body.count) bytes)") }
        var reader = ByteReader(body[...])
        streamID = reader.read()
        generation = reader.read()
        formatID = reader.read()
        restartsDecoder = reader.read(UInt16.self) & Self.restartFlag != 0
        presentation = try reader.readTime()
        frameCount = reader.read()
        trimAtStart = reader.read()
        trimAtEnd = reader.read()
        guard frameCount <= SampleBuffer.maximumFrameCount else {
            throw .malformedPacket("too many frames (\(frameCount))")
        }
        guard UInt64(trimAtStart) + UInt64(trimAtEnd) <= UInt64(frameCount) else {
            throw .malformedPacket("trims of \(trimAtStart) and \(trimAtEnd) exceed \(frameCount) frames")
        }
        payload = Array(reader.rest)
    }

    /// The frame's header and the packet's, to be followed by the payload: so one payload serves every room.
    ///
    /// - Precondition: the payload is at most `maximumPayloadBytes` long.
    package func encodedHeader() -> [UInt8] {
        var bytes = Frame.header(.media, bodyCount: Self.headerBytes + payload.count)
        bytes.reserveCapacity(Frame.headerBytes + Self.headerBytes)
        bytes.appendBigEndian(streamID)
        bytes.appendBigEndian(generation)
        bytes.appendBigEndian(formatID)
        bytes.appendBigEndian(restartsDecoder ? Self.restartFlag : 0)
        bytes.appendBigEndian(presentation)
        bytes.appendBigEndian(frameCount)
        bytes.appendBigEndian(trimAtStart)
        bytes.appendBigEndian(trimAtEnd)
        return bytes
    }

    /// The complete frame.
    ///
    /// - Precondition: the payload is at most `maximumPayloadBytes` long.
    package func encodedFrame() -> [UInt8] { encodedHeader() + payload }

    /// Whether something of the packet is heard; one without sound leads the next.
    package var isAudible: Bool { UInt64(trimAtStart) + UInt64(trimAtEnd) < UInt64(frameCount) }

    /// The packet as a buffer of `format`.
    ///
    /// - Parameter preroll: what its decoder hears first; nil when it goes on from the packet before.
    /// - Throws: `malformedPacket` when the payload's length contradicts the format.
    package func sampleBuffer(
        format: AudioFormat, preroll: [PrerollPacket]? = nil
    ) throws(WireError) -> SampleBuffer {
        let buffer = SampleBuffer(
            format: format, presentationTime: presentation, frameCount: Int(frameCount),
            trimAtStart: Int(trimAtStart), trimAtEnd: Int(trimAtEnd), data: payload, preroll: preroll)
        guard let buffer else {
            throw .malformedPacket("\(payload.count) bytes are not \(frameCount) frames of \(format.codec.rawValue)")
        }
        return buffer
    }
}
