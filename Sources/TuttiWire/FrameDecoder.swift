/// Cuts a connection's byte stream into frames.
///
/// Append what arrived, then call `next()` until it returns nil. A frame's announced length is checked as soon as its
/// five header bytes are there, so a decoder never holds more than one legal frame and the bytes appended last.
/// After an error the decoder is of no further use: its connection is to be closed.
package struct FrameDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var consumed = 0

    /// A decoder at the start of a stream.
    package init() {}

    /// Bytes held that no frame has been made of yet.
    package var bufferedCount: Int { buffer.count - consumed }

    /// Takes bytes as they arrived.
    ///
    /// - Complexity: O(`bytes.count`) amortised.
    package mutating func append(_ bytes: [UInt8]) {
        append(bytes[...])
    }

    /// Takes bytes as they arrived.
    ///
    /// - Complexity: O(`bytes.count`) amortised.
    package mutating func append(_ bytes: ArraySlice<UInt8>) {
        if consumed == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
            consumed = 0
        } else if consumed > buffer.count / 2 {
            buffer.removeFirst(consumed)
            consumed = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole frame, or nil when more bytes are needed.
    ///
    /// - Throws: `frameTooLong` and `unknownFrameType`, before the body has come.
    package mutating func next() throws(WireError) -> Frame? {
        guard bufferedCount >= Frame.headerBytes else { return nil }
        let length = buffer[consumed..<consumed + 4].reduce(0) { $0 << 8 | Int($1) }
        let type = buffer[consumed + 4]
        guard let kind = Frame.Kind(rawValue: type) else { throw .unknownFrameType(type) }
        guard length <= kind.limit else { throw .frameTooLong(type: type, length: length, limit: kind.limit) }
        guard bufferedCount >= Frame.headerBytes + length else { return nil }
        let start = consumed + Frame.headerBytes
        let body = Array(buffer[start..<start + length])
        consumed = start + length
        switch kind {
        case .control: return .control(body)
        case .media: return .media(body)
        case .picture: return .picture(body)
        case .caption: return .caption(body)
        }
    }

    /// The capacity that an idle decoder may keep, in bytes.
    private static let keptCapacity = 256 * 1024
}
