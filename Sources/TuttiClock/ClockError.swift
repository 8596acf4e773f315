/// Why bytes are not a timing message.
package enum ClockError: Error, Equatable, Sendable {
    /// The datagram has `count` bytes instead of `TimingMessage.byteCount`.
    case wrongLength(count: Int)
    /// The first bytes are not the protocol's.
    case notTiming
    /// The message is of a version that this build does not speak.
    case unsupportedVersion(UInt8)
    /// Neither a request nor a reply.
    case unknownKind(UInt8)
    /// A field holds a number that no honest member sends.
    case fieldOutOfRange
}

extension ClockError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongLength(let count): "a timing message has \(count) bytes instead of \(TimingMessage.byteCount)"
        case .notTiming: "the datagram is not a timing message"
        case .unsupportedVersion(let version): "a timing message has the unsupported version \(version)"
        case .unknownKind(let kind): "a timing message has the unknown kind \(kind)"
        case .fieldOutOfRange: "a number in a timing message is out of range"
        }
    }
}
