/// What comes on a media connection.
enum MediaFrame: Sendable {
    case sound(MediaPacket)
    case picture(PicturePacket)
    case caption(CaptionPacket)

    var streamID: UInt32 {
        switch self {
        case .sound(let packet): packet.streamID
        case .picture(let packet): packet.streamID
        case .caption(let packet): packet.streamID
        }
    }

    var generation: UInt32 {
        switch self {
        case .sound(let packet): packet.generation
        case .picture(let packet): packet.generation
        case .caption(let packet): packet.generation
        }
    }

    /// Bytes that count against the credit.
    var payloadBytes: Int {
        switch self {
        case .sound(let packet): packet.payload.count
        case .picture(let packet): packet.payload.count
        case .caption(let packet): packet.payloadBytes
        }
    }
}
