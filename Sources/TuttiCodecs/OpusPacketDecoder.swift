import COpus
import TuttiCore

/// Opus at 48 kHz; a damaged packet is bridged by the decoder's concealment.
///
/// After `reset` the decoder needs about 80 ms of packets to be right again (RFC 7845, section 4.6).
final class OpusPacketDecoder: PacketDecoder {
    private(set) var concealedPacketCount = 0

    private let format: AudioFormat
    private let handle: OpusDecoderHandle
    private var samples: [Float]

    /// Frames of the longest packet, 120 ms.
    private static let maximumFrameCount = 5_760
    /// Frames in the unit of lengths that concealment gives, 2.5 ms.
    private static let concealmentUnit = 120

    init(format: AudioFormat) throws(CodecError) {
        guard format.sampleRate == 48_000 else {
            throw .invalidFormat("Opus at \(format.sampleRate) Hz instead of 48000")
        }
        guard format.channelCount <= 2 else { throw .unsupported("Opus with \(format.channelCount) channels") }
        let head = format.magicCookie.isEmpty ? nil : try OpusHead(parsing: format.magicCookie)
        if let head, head.channelCount != format.channelCount {
            throw .invalidFormat("OpusHead has \(head.channelCount) channels, the format \(format.channelCount)")
        }
        handle = try OpusDecoderHandle(channelCount: format.channelCount)
        guard tutti_opus_set_gain(handle.pointer, Int32(head?.outputGain ?? 0)) == OPUS_OK else {
            throw .invalidFormat("libopus rejected the output gain")
        }
        self.format = format
        samples = [Float](repeating: 0, count: Self.maximumFrameCount * format.channelCount)
    }

    func decode(_ buffer: SampleBuffer) throws(CodecError) -> PCMBlock {
        guard buffer.format == format else { throw .invalidFormat("the packet has another format") }
        guard (1...Self.maximumFrameCount).contains(buffer.frameCount) else {
            throw .corruptPacket("\(buffer.frameCount) frames in an Opus packet")
        }
        if !decodeWhole(buffer) { try conceal(frameCount: buffer.frameCount) }
        let channels = format.channelCount
        let first = buffer.trimAtStart * channels
        let audible = Array(samples[first..<first + buffer.audibleFrameCount * channels])
        return PCMBlock(samples: audible, channelCount: channels, sampleRate: format.sampleRate)
    }

    func reset() { _ = tutti_opus_decoder_reset(handle.pointer) }

    /// Decodes into `samples`; false when the packet is not a whole one of the length that the buffer says.
    private func decodeWhole(_ buffer: SampleBuffer) -> Bool {
        let frameCount = Int32(buffer.frameCount)
        guard !buffer.data.isEmpty, let length = Int32(exactly: buffer.data.count),
            opus_packet_get_nb_samples(buffer.data, length, 48_000) == frameCount
        else { return false }
        return opus_decode_float(handle.pointer, buffer.data, length, &samples, frameCount, 0) == frameCount
    }

    private func conceal(frameCount: Int) throws(CodecError) {
        guard frameCount % Self.concealmentUnit == 0,
            opus_decode_float(handle.pointer, nil, 0, &samples, Int32(frameCount), 0) == Int32(frameCount)
        else { throw .corruptPacket("not an Opus packet of \(frameCount) frames") }
        concealedPacketCount += 1
    }
}

/// Owns libopus's decoder.
private struct OpusDecoderHandle: ~Copyable {
    let pointer: OpaquePointer

    init(channelCount: Int) throws(CodecError) {
        var status: Int32 = 0
        guard let decoder = opus_decoder_create(48_000, Int32(channelCount), &status) else {
            throw .library("libopus could not create a decoder (\(opusMessage(status)))")
        }
        pointer = decoder
    }

    deinit { opus_decoder_destroy(pointer) }
}
