package import TuttiCore

/// A coded picture, or a part of a large one, on its way: the body of a frame of type 2.
///
/// Big-endian: `u32 stream | u32 generation | u16 format | u16 flags | i64 value | u32 timescale | u32 duration |
/// payload`. The duration is in units of the timescale, 0 where it is not known. The lowest three flags are
/// `beginsAnew`, `isSync` and `continues`; the others are sent as 0 and ignored.
package struct PicturePacket: Sendable, Equatable {
    /// Bytes before the payload.
    package static let headerBytes = 28
    /// The longest payload, in bytes.
    package static let maximumPayloadBytes = WireLimits.mediaBytes - headerBytes

    private enum Flag {
        static let (beginsAnew, isSync, continues): (UInt16, UInt16, UInt16) = (1, 2, 4)
    }

    /// Names the programme, as in the sender's hello.
    package var streamID: UInt32
    /// Orders the packet against flushes.
    package var generation: UInt32
    /// Names the format, as announced for pictures.
    package var formatID: UInt16
    /// Whether the pictures held from its time on are to make way: what follows begins here.
    package var beginsAnew: Bool
    /// Whether decoding can begin with the picture.
    package var isSync: Bool
    /// Whether the next packet has more of the same picture.
    package var continues: Bool
    /// Media time from which on the picture is shown.
    package var presentation: MediaTime
    /// How long it is shown, in units of `presentation`'s timescale; 0 when that is not known.
    package var duration: UInt32
    /// The coded picture, or a part of it.
    package var payload: [UInt8]

    /// A packet.
    package init(
        streamID: UInt32, generation: UInt32, formatID: UInt16, beginsAnew: Bool = false, isSync: Bool,
        continues: Bool = false, presentation: MediaTime, duration: UInt32 = 0, payload: [UInt8]
    ) {
        self.streamID = streamID
        self.generation = generation
        self.formatID = formatID
        self.beginsAnew = beginsAnew
        self.isSync = isSync
        self.continues = continues
        self.presentation = presentation
        self.duration = duration
        self.payload = payload
    }

    /// A packet of a frame's body.
    ///
    /// - Throws: `malformedPacket` when it is too short or too long, or its time is out of range.
    package init(parsing body: [UInt8]) throws(WireError) {
        guard body.count > Self.headerBytes else {
            throw .malformedPacket("too short for a picture (\(body.count) bytes)")
        }
        guard body.count <= WireLimits.mediaBytes else { throw .malformedPacket("too long (\(body.count) bytes)") }
        var reader = ByteReader(body[...])
        streamID = reader.read()
        generation = reader.read()
        formatID = reader.read()
        let flags: UInt16 = reader.read()
        beginsAnew = flags & Flag.beginsAnew != 0
        isSync = flags & Flag.isSync != 0
        continues = flags & Flag.continues != 0
        presentation = try reader.readTime()
        duration = reader.read()
        payload = Array(reader.rest)
    }

    /// The frame's header and the packet's, to be followed by the payload.
    ///
    /// - Precondition: the payload is at most `maximumPayloadBytes` long.
    package func encodedHeader() -> [UInt8] {
        var bytes = Frame.header(.picture, bodyCount: Self.headerBytes + payload.count)
        bytes.reserveCapacity(Frame.headerBytes + Self.headerBytes)
        bytes.appendBigEndian(streamID)
        bytes.appendBigEndian(generation)
        bytes.appendBigEndian(formatID)
        bytes.appendBigEndian(
            (beginsAnew ? Flag.beginsAnew : 0) | (isSync ? Flag.isSync : 0) | (continues ? Flag.continues : 0))
        bytes.appendBigEndian(presentation)
        bytes.appendBigEndian(duration)
        return bytes
    }

    /// The complete frame.
    package func encodedFrame() -> [UInt8] { encodedHeader() + payload }
}

extension PicturePacket {
    /// The packets that a picture travels in.
    package static func packets(
        of picture: VideoSampleBuffer, streamID: UInt32, generation: UInt32, formatID: UInt16, beginsAnew: Bool
    ) -> [PicturePacket] {
        let time = picture.presentationTime
        let units = picture.duration.map { $0.converted(to: time.timescale).value }
        return stride(from: 0, to: picture.data.count, by: maximumPayloadBytes).map { start in
            let end = min(start + maximumPayloadBytes, picture.data.count)
            return PicturePacket(
                streamID: streamID, generation: generation, formatID: formatID, beginsAnew: beginsAnew,
                isSync: picture.isSync, continues: end < picture.data.count, presentation: time,
                duration: units.flatMap(UInt32.init(exactly:)) ?? 0, payload: Array(picture.data[start..<end]))
        }
    }

    /// The picture that all of its bytes are; nil for one that is longer than `VideoSampleBuffer` allows.
    func sampleBuffer(format: VideoFormat) -> VideoSampleBuffer? {
        let time = duration > 0 ? MediaTime(value: Int64(duration), timescale: presentation.timescale) : nil
        return VideoSampleBuffer(
            format: format, presentationTime: presentation,
            duration: time.flatMap { $0 <= VideoSampleBuffer.maximumDuration ? $0 : nil }, isSync: isSync, data: payload
        )
    }
}

/// The parts of a picture until it is whole.
struct PictureParts: Sendable {
    private var first: PicturePacket?

    /// Takes a packet.
    ///
    /// - Returns: the picture that it completes, whose payload is all of it; nil when more is to come.
    /// - Throws: `malformedPacket` for a part of another picture, and for a picture that is too large.
    mutating func append(_ packet: PicturePacket) throws(WireError) -> PicturePacket? {
        guard var whole = first else {
            if packet.continues { first = packet } else { return packet }
            return nil
        }
        guard packet.presentation == whole.presentation, packet.formatID == whole.formatID else {
            throw .malformedPacket("the rest of a picture is missing")
        }
        guard whole.payload.count + packet.payload.count <= WireLimits.pictureBytes else {
            throw .malformedPacket("a picture is larger than \(WireLimits.pictureBytes) bytes")
        }
        // No second copy of a large picture while it grows.
        first = nil
        whole.payload += packet.payload
        whole.continues = packet.continues
        if packet.continues { first = whole } else { return whole }
        return nil
    }
}
