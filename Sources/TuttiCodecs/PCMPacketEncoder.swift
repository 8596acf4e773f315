import TuttiCore

/// Little-endian integers of 16 or 24 bits, 20 ms to a packet unless told otherwise.
final class PCMPacketEncoder: PacketEncoder {
    let format: AudioFormat
    let framesPerPacket: Int

    private var quantiser: SampleQuantiser
    private var pending: PendingSamples
    private var integers: [Int32]
    private var isFinished = false

    init(sampleRate: Int, channelCount: Int, bitDepth: Int, options: EncoderOptions) throws(CodecError) {
        quantiser = try SampleQuantiser(sourceBitDepth: bitDepth, options: options)
        guard
            let format = AudioFormat(
                codec: .pcm, sampleRate: sampleRate, channelCount: channelCount, bitDepth: quantiser.bitDepth)
        else { throw .invalidFormat("\(sampleRate):\(bitDepth):\(channelCount)") }
        self.format = format
        framesPerPacket = sampleRate * min(max(options.packetMilliseconds, 1), 20) / 1_000
        pending = PendingSamples()
        integers = [Int32](repeating: 0, count: framesPerPacket * channelCount)
    }

    func encode(_ samples: [Float]) throws(CodecError) -> [EncodedPacket] {
        guard !isFinished else { throw .invalidInput("the stream has ended") }
        guard samples.count % format.channelCount == 0 else { throw .invalidInput("an incomplete frame") }
        pending.append(samples)
        var packets: [EncodedPacket] = []
        while let chunk = pending.take(integers.count) { packets.append(packet(of: chunk)) }
        return packets
    }

    func finish() throws(CodecError) -> [EncodedPacket] {
        guard !isFinished else { return [] }
        isFinished = true
        guard let rest = pending.take(pending.count), !rest.isEmpty else { return [] }
        return [packet(of: rest)]
    }

    private func packet(of samples: ArraySlice<Float>) -> EncodedPacket {
        quantiser.quantise(samples, into: &integers)
        let width = quantiser.bitDepth / 8
        let data = [UInt8](unsafeUninitializedCapacity: samples.count * width) { bytes, count in
            for index in 0..<samples.count {
                let value = UInt32(bitPattern: integers[index])
                for byte in 0..<width { bytes[index * width + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
            }
            count = samples.count * width
        }
        return EncodedPacket(
            data: data, frameCount: samples.count / format.channelCount, trimAtStart: 0, trimAtEnd: 0)
    }
}
