/// What is wrong with bytes or messages that came from the other side.
///
/// Each of them ends the connection that it happened on, and nothing else.
package enum WireError: Error, Equatable, Sendable {
    /// A frame announces a body longer than its type may have.
    case frameTooLong(type: UInt8, length: Int, limit: Int)
    /// A frame of a type that this version does not know.
    case unknownFrameType(UInt8)
    /// A control message that is not the JSON it should be; the text says which field and why.
    case malformedMessage(String)
    /// A media packet whose fields contradict each other or their limits.
    case malformedPacket(String)
    /// A message where the protocol's order does not allow it.
    case unexpectedMessage(type: String, reason: String)
    /// The other side speaks another version of the protocol.
    case versionMismatch(theirs: Int, ours: Int)
    /// More audio was sent than the speaker had granted.
    case creditExceeded(sent: UInt64, granted: UInt64)
    /// Media that cannot be used yet has piled up: its format or flush never came.
    case waitedInVain(String)
    /// The other side refuses; the message is its own.
    case refused(code: String, message: String)
    /// The other side has been silent for too long.
    case silent(seconds: Int)
}

extension WireError: CustomStringConvertible {
    /// One line that says what happened.
    package var description: String {
        switch self {
        case .frameTooLong(let type, let length, let limit):
            "a frame of type \(type) announces \(length) bytes (at most \(limit) are allowed)"
        case .unknownFrameType(let type): "a frame has the unknown type \(type)"
        case .malformedMessage(let reason): "malformed control message: \(reason)"
        case .malformedPacket(let reason): "malformed media packet: \(reason)"
        case .unexpectedMessage(let type, let reason): "unexpected message '\(type)': \(reason)"
        case .versionMismatch(let theirs, let ours):
            "protocol version \(theirs) is not supported here, only version \(ours)"
        case .creditExceeded(let sent, let granted): "\(sent) payload bytes were sent, but only \(granted) were granted"
        case .waitedInVain(let reason): "media waited too long: \(reason)"
        case .refused(_, let message): message
        case .silent(let seconds): "no message for \(seconds) s"
        }
    }
}
