package import TuttiCore

extension PacketStore {
    /// Puts back what was removed from `time` on, under whatever was stored there since.
    package mutating func restore(_ packets: [SampleBuffer], from time: MediaTime) {
        let newer = self.packets(from: time)
        remove(from: time)
        for packet in packets + newer { _ = insert(packet) }
    }
}
