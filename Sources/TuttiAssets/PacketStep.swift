/// What comes next of an asset's packets.
package enum PacketStep: Sendable, Equatable {
    /// A packet of which something is heard.
    case packet(AssetPacket)
    /// Nothing was there to read: as many frames of silence.
    case silence(frames: Int)
    /// From here on the packets are of another kind: they have to be decoded.
    case unsuitable
}
