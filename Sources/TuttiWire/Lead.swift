import TuttiCore

/// Packets without sound on their way to the packet whose decoder hears them first.
struct Lead: Sendable {
    /// The format that they have, as announced.
    let formatID: UInt16
    private(set) var packets: [PrerollPacket] = []
    private var byteCount = 0

    init(formatID: UInt16) { self.formatID = formatID }

    /// Adds a packet.
    ///
    /// - Throws: `malformedPacket` when there are more than a decoder needs.
    mutating func append(_ packet: MediaPacket) throws(WireError) {
        byteCount += packet.payload.count
        guard packets.count < WireLimits.prerollPackets, byteCount <= WireLimits.prerollBytes,
            let preroll = PrerollPacket(frameCount: Int(packet.frameCount), data: packet.payload)
        else { throw .malformedPacket("too many pre-roll packets (\(packets.count + 1), \(byteCount) bytes)") }
        packets.append(preroll)
    }
}
