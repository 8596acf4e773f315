package import TuttiCore

extension PacketStore {
    /// The packets before `packet`, from as far back as its decoder hears first; fewer where not all are held. O(n log n)
    /// in their number.
    package func packets(before packet: SampleBuffer) -> [SampleBuffer] {
        var time = packet.presentationTime - packet.format.codec.preroll
        var result: [SampleBuffer] = []
        while let earlier = self.packet(covering: time) ?? next(after: time),
            earlier.presentationTime < packet.presentationTime
        {
            result.append(earlier)
            time = earlier.timeRange.end
        }
        return result
    }
}
