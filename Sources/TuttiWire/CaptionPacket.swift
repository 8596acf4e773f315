package import TuttiCore

/// A text above pictures on its way: the body of a frame of type 3.
///
/// Big-endian: `u32 stream | u32 generation | u16 kind | u16 flags | i64 value | u32 timescale | i64 value |
/// u32 timescale | payload`, the times being start and end. Flags are sent as 0 and ignored.
package struct CaptionPacket: Sendable, Equatable {
    /// What it is.
    package enum Kind: UInt16, Sendable, CaseIterable {
        /// What is shown at the start ends there. Nothing is in the payload, and the end is the start.
        case end = 0
        /// `u32 length | style | text`, both UTF-8.
        case text = 1
        /// `u16 width | u16 height | u32 x | u32 y | u32 width | u32 height | runs`, the place in millionths of the
        /// film's sides, the rest as `PixelRuns` has it.
        case image = 2
        /// `u16 length | title | u16 length | artist | u16 length | album`, UTF-8; what is empty is not known.
        case card = 3
    }

    /// Bytes before the payload.
    package static let headerBytes = 36
    /// The longest payload, in bytes.
    package static let maximumPayloadBytes = WireLimits.mediaBytes - headerBytes

    /// Names the programme, as in the sender's hello.
    package var streamID: UInt32
    /// Orders the packet against flushes.
    package var generation: UInt32
    package let kind: Kind
    /// The media time from which on it is shown.
    package let start: MediaTime
    /// The media time from which on it is not shown any more.
    package let end: MediaTime
    let payload: [UInt8]

    /// Bytes that count against the credit.
    package var payloadBytes: Int { payload.count }

    /// A packet of a frame's body.
    ///
    /// - Throws: `malformedPacket` when it is too short, too long, of no known kind, or its times are out of range.
    package init(parsing body: [UInt8]) throws(WireError) {
        guard (Self.headerBytes...WireLimits.mediaBytes).contains(body.count) else {
            throw .malformedPacket("\(body.count) bytes are no text above pictures")
        }
        var reader = ByteReader(body[...])
        streamID = reader.read()
        generation = reader.read()
        let number: UInt16 = reader.read()
        guard let kind = Kind(rawValue: number) else { throw .malformedPacket("there are no texts of kind \(number)") }
        self.kind = kind
        _ = reader.read(UInt16.self)
        start = try reader.readTime()
        end = try reader.readTime()
        payload = Array(reader.rest)
    }

    /// The complete frame.
    package func encodedFrame() -> [UInt8] {
        var bytes = Frame.header(.caption, bodyCount: Self.headerBytes + payload.count)
        bytes.reserveCapacity(bytes.count + Self.headerBytes + payload.count)
        bytes.appendBigEndian(streamID)
        bytes.appendBigEndian(generation)
        bytes.appendBigEndian(kind.rawValue)
        bytes.appendBigEndian(UInt16(0))
        bytes.appendBigEndian(start)
        bytes.appendBigEndian(end)
        return bytes + payload
    }
}

// MARK: What it says

extension CaptionPacket {
    /// Millionths in the whole of a side.
    private static let parts = 1e6
    /// Bytes of a line of a card; more is cut off.
    private static let lineBytes = WireLimits.textBytes

    /// A packet for no stream yet; nil for what is too large to be sent, or a text without a style.
    package init?(_ caption: Caption) {
        var payload: [UInt8] = []
        switch caption {
        case .end(let time): (kind, start, end) = (.end, time, time)
        case .card(let card, let range):
            (kind, start, end) = (.card, range.start, range.end)
            for line in [card.title, card.artist ?? "", card.album ?? ""] {
                let text = Array(line.cut(toBytes: Self.lineBytes).utf8)
                payload.appendBigEndian(UInt16(text.count))
                payload += text
            }
        case .cue(let cue, let style):
            (start, end) = (cue.start, cue.end)
            switch cue.content {
            case .text(let text):
                guard let style else { return nil }
                kind = .text
                payload.appendBigEndian(UInt32(style.header.utf8.count))
                payload += Array(style.header.utf8) + Array(text.utf8)
            case .image(let image):
                kind = .image
                payload.appendBigEndian(UInt16(image.width))
                payload.appendBigEndian(UInt16(image.height))
                // Never beyond the film's edge.
                let place = image.place
                let sides: [(Double, UInt32)] = [(place.x, 0), (place.y, 0), (place.width, 1), (place.height, 1)]
                for (side, least) in sides { payload.appendBigEndian(max(UInt32(side * Self.parts), least)) }
                payload += PixelRuns.encode(image.bgra)
            }
        }
        guard payload.count <= Self.maximumPayloadBytes else { return nil }
        self.payload = payload
        (streamID, generation) = (0, 0)
    }

    /// What it says.
    ///
    /// - Throws: `malformedPacket` for a payload that is none of its kind.
    package func caption() throws(WireError) -> Caption {
        var reader = ByteReader(payload[...])
        switch kind {
        case .end: return .end(start)
        case .card:
            guard start < end else { throw .malformedPacket("a card ends before it begins") }
            var lines: [String] = []
            for _ in 0..<3 { lines.append(try Self.line(from: &reader)) }
            let card = TextCard(
                title: lines[0], artist: lines[1].isEmpty ? nil : lines[1], album: lines[2].isEmpty ? nil : lines[2])
            return .card(card, TimeRange(start: start, end: end))
        case .text:
            guard reader.rest.count >= 4 else { throw .malformedPacket("a subtitle has no style") }
            let length = Int(reader.read(UInt32.self))
            let rest = reader.rest
            guard length <= rest.count, let header = String(validating: rest.prefix(length), as: UTF8.self),
                let text = String(validating: rest.dropFirst(length), as: UTF8.self),
                let style = SubtitleStyle(header: header)
            else { throw .malformedPacket("a subtitle's style is none") }
            return .cue(try cue(.text(text)), style: style)
        case .image: return .cue(try cue(.image(try Self.image(from: &reader))), style: nil)
        }
    }

    private func cue(_ content: SubtitleCue.Content) throws(WireError) -> SubtitleCue {
        guard let cue = SubtitleCue(start: start, end: end, content: content) else {
            throw .malformedPacket("a subtitle is too long, or ends before it begins")
        }
        return cue
    }

    private static func line(from reader: inout ByteReader) throws(WireError) -> String {
        guard reader.rest.count >= 2 else { throw .malformedPacket("a card is too short") }
        let count = Int(reader.read(UInt16.self))
        guard count <= lineBytes, count <= reader.rest.count,
            let text = String(validating: reader.take(count), as: UTF8.self)
        else { throw .malformedPacket("a card's line is none") }
        return text
    }

    private static func image(from reader: inout ByteReader) throws(WireError) -> SubtitleImage {
        guard reader.rest.count >= 20 else { throw .malformedPacket("a subtitle's image is too short") }
        let (width, height) = (Int(reader.read(UInt16.self)), Int(reader.read(UInt16.self)))
        let sides = (0..<4).map { _ in Double(reader.read(UInt32.self)) / parts }
        let count = width * height
        guard 4 * count <= SubtitleImage.maximumBytes,
            let place = SubtitleImage.Place(x: sides[0], y: sides[1], width: sides[2], height: sides[3]),
            let pixels = PixelRuns.decode(reader.rest, count: count),
            let image = SubtitleImage(place: place, width: width, height: height, bgra: pixels)
        else { throw .malformedPacket("a subtitle's image is none") }
        return image
    }
}
