import TuttiAssets
import TuttiCore
import TuttiEncoding
import TuttiWire

extension PacketWriter {
    /// The packet at its place; nil for one of impossible counts. One that is too long for the wire is silent: it
    /// goes without its bytes.
    mutating func buffer(for packet: AssetPacket) -> SampleBuffer? {
        let isTooLong = packet.data.count > MediaPacket.maximumPayloadBytes
        return buffer(
            isTooLong ? [] : packet.data, packet.frameCount, (packet.trimAtStart, packet.trimAtEnd),
            preroll: packet.preroll)
    }
}
