import TuttiCodecs
import TuttiCore

/// Things to encode and ways to send them round.
enum Material {
    /// Random integers of `bits` bits as floats, the extremes among them.
    static func integers(frames: Int, channels: Int, bits: Int, seed: UInt64) -> [Float] {
        var generator = SplitMix64(seed: seed)
        let limit = Int32(1) << (bits - 1)
        var samples = (0..<frames * channels).map { _ in
            Float(Int32.random(in: -limit..<limit, using: &generator)) / Float(limit)
        }
        if samples.count > 1 {
            samples[0] = -1
            samples[1] = Float(limit - 1) / Float(limit)
        }
        return samples
    }

    /// Sums of sines that differ between channels, at a third of full scale.
    static func tones(frames: Int, channels: Int, sampleRate: Double = 48_000) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            let time = Double(frame) / sampleRate
            for channel in 0..<channels {
                let frequency = 330.0 * Double(channel + 1)
                samples.append(Float(0.2 * sine(frequency * time) + 0.1 * sine(2.7 * frequency * time)))
            }
        }
        return samples
    }

    /// The sine of `turns` turns, by its series.
    static func sine(_ turns: Double) -> Double {
        var x = (turns - Double(Int(turns))) * 2 * Double.pi
        if x > Double.pi { x -= 2 * Double.pi }
        var (term, sum) = (x, x)
        for n in stride(from: 2.0, through: 26, by: 2) {
            term *= -x * x / (n * (n + 1))
            sum += term
        }
        return sum
    }

    /// Encodes in pieces of `step` frames.
    static func encode(_ samples: [Float], with encoder: any PacketEncoder, step: Int = 1_000) throws -> [EncodedPacket]
    {
        var packets: [EncodedPacket] = []
        let width = encoder.format.channelCount * step
        for start in stride(from: 0, to: samples.count, by: width) {
            packets += try encoder.encode(Array(samples[start..<min(start + width, samples.count)]))
        }
        return try packets + encoder.finish()
    }

    /// The packet as it arrives at a speaker.
    static func buffer(_ packet: EncodedPacket, format: AudioFormat, data: [UInt8]? = nil) throws -> SampleBuffer {
        guard
            let buffer = SampleBuffer(
                format: format, presentationTime: .zero, frameCount: packet.frameCount,
                trimAtStart: packet.trimAtStart, trimAtEnd: packet.trimAtEnd, data: data ?? packet.data)
        else { throw CodecError.invalidInput("counts that contradict each other") }
        return buffer
    }

    /// All that the packets decode to.
    static func decode(_ packets: [EncodedPacket], format: AudioFormat) throws -> [Float] {
        let decoder = try Codecs.makeDecoder(for: format)
        return try packets.flatMap { packet in
            let block = try decoder.decode(buffer(packet, format: format))
            guard block.frameCount == packet.audibleFrameCount else { throw CodecError.corruptPacket("length") }
            return block.samples
        }
    }
}
