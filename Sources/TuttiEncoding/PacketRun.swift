package import TuttiCodecs
package import TuttiCore

/// Packets of one encoder, end to end on the timeline.
package struct PacketRun {
    private let encoder: any PacketEncoder
    private var writer: PacketWriter

    package init(_ encoder: any PacketEncoder, at base: MediaTime) {
        self.encoder = encoder
        writer = PacketWriter(format: encoder.format, base: base)
    }

    /// What the packets are.
    package var format: AudioFormat { encoder.format }

    /// Where the packets that have come out end.
    package var end: MediaTime { writer.position }

    /// The packets that are complete with these samples.
    package mutating func encode(_ samples: [Float]) throws(CodecError) -> [SampleBuffer] {
        place(try encoder.encode(samples))
    }

    /// What was held back.
    package mutating func finish() throws(CodecError) -> [SampleBuffer] { place(try encoder.finish()) }

    private mutating func place(_ packets: [EncodedPacket]) -> [SampleBuffer] {
        packets.compactMap { writer.buffer(for: $0) }
    }
}
