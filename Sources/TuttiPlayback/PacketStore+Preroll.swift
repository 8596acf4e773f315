package import TuttiCore

extension PacketStore {
    /// Packets that a decoder gets before another one at most: half a second of the shortest that any encoder makes.
    private static let maximumPreroll = 512

    /// The packets before `packet`, from as far back as its decoder starts; fewer where not all are held, and 512
    /// at most. O(log n) and O(1) a packet.
    package func packets(before packet: SampleBuffer) -> [SampleBuffer] {
        let preroll = packet.format.codec.preroll
        guard preroll.isPositive else { return [] }
        return packets(from: packet.presentationTime - preroll, to: packet.presentationTime, last: Self.maximumPreroll)
    }
}
