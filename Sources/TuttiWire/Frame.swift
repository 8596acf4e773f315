/// One frame of a connection: `u32 length | u8 type | body`, big-endian, the length counting the body alone.
package enum Frame: Sendable, Equatable {
    /// A control message: JSON in UTF-8.
    case control([UInt8])
    /// A media packet.
    case media([UInt8])
    /// A picture, or a part of one.
    case picture([UInt8])
    /// A text above pictures.
    case caption([UInt8])

    /// Bytes before the body.
    package static let headerBytes = 5

    /// The type as it stands on the wire.
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// JSON.
        case control = 0
        /// Audio.
        case media = 1
        /// Video.
        case picture = 2
        /// Texts above video.
        case caption = 3

        /// The longest body of a frame of this type, in bytes.
        package var limit: Int {
            switch self {
            case .control: WireLimits.controlBytes
            case .media, .picture, .caption: WireLimits.mediaBytes
            }
        }
    }

    /// The five bytes before a body of `count` bytes.
    ///
    /// - Precondition: `count` is within the limit of its kind.
    package static func header(_ kind: Kind, bodyCount count: Int) -> [UInt8] {
        precondition(count >= 0 && count <= kind.limit, "a frame's body keeps to the limit of its type")
        let length = UInt32(count)
        return [
            UInt8(truncatingIfNeeded: length >> 24), UInt8(truncatingIfNeeded: length >> 16),
            UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length), kind.rawValue,
        ]
    }
}
