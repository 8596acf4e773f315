import COpus
import TuttiCore

/// Opus at 48 kHz, 20 ms to a packet.
///
/// The encoder looks ahead: what goes in comes out of a decoder some frames later. The first packet's trim takes those
/// frames away and the last one's the padding, so that decoded frames stand where they stood in the source.
final class OpusPacketEncoder: PacketEncoder {
    let format: AudioFormat
    let framesPerPacket = 960

    private let handle: OpusEncoderHandle
    private let lookahead: Int
    private var pending = PendingSamples()
    private var framesIn = 0
    private var packetCount = 0
    private var packetBuffer: [UInt8]
    private var isFinished = false

    /// More than 20 ms at any bit rate take (RFC 6716: 1275 bytes and the header).
    private static let maximumPacketBytes = 1_500

    init(sampleRate: Int, channelCount: Int, bitDepth: Int, options: EncoderOptions) throws(CodecError) {
        guard sampleRate == 48_000 else { throw .unsupported("Opus at \(sampleRate) Hz instead of 48000") }
        guard channelCount <= 2 else { throw .unsupported("Opus with \(channelCount) channels") }
        guard EncoderOptions.opusBitrates.contains(options.opusBitrate) else {
            throw .unsupported("Opus at \(options.opusBitrate) bits a second")
        }
        guard (0...10).contains(options.opusComplexity) else {
            throw .unsupported("Opus complexity \(options.opusComplexity)")
        }
        guard
            let format = AudioFormat(
                codec: .opus, sampleRate: sampleRate, channelCount: channelCount, bitDepth: bitDepth)
        else { throw .invalidFormat("\(sampleRate):\(bitDepth):\(channelCount)") }
        handle = try OpusEncoderHandle(channelCount: channelCount)
        var lookahead: Int32 = 0
        guard tutti_opus_set_bitrate(handle.pointer, Int32(options.opusBitrate)) == OPUS_OK,
            tutti_opus_set_complexity(handle.pointer, Int32(options.opusComplexity)) == OPUS_OK,
            tutti_opus_set_signal_music(handle.pointer) == OPUS_OK,
            tutti_opus_get_lookahead(handle.pointer, &lookahead) == OPUS_OK,
            (0..<Int32(framesPerPacket)).contains(lookahead)
        else { throw .library("libopus rejected the encoder's settings") }
        self.format = format
        self.lookahead = Int(lookahead)
        packetBuffer = [UInt8](repeating: 0, count: Self.maximumPacketBytes)
    }

    func encode(_ samples: [Float]) throws(CodecError) -> [EncodedPacket] {
        guard !isFinished else { throw .invalidInput("the stream has ended") }
        guard samples.count % format.channelCount == 0 else { throw .invalidInput("an incomplete frame") }
        framesIn += samples.count / format.channelCount
        pending.append(samples)
        return try drain(trimAtEndOfLast: 0)
    }

    func finish() throws(CodecError) -> [EncodedPacket] {
        guard !isFinished else { return [] }
        isFinished = true
        guard framesIn > 0 else { return [] }
        // Silence after the end pushes the last frames through the encoder's lookahead.
        let packetsInAll = (framesIn + lookahead + framesPerPacket - 1) / framesPerPacket
        let padding = (packetsInAll - packetCount) * framesPerPacket * format.channelCount - pending.count
        pending.append([Float](repeating: 0, count: max(padding, 0)))
        return try drain(trimAtEndOfLast: packetsInAll * framesPerPacket - framesIn - lookahead)
    }

    private func drain(trimAtEndOfLast: Int) throws(CodecError) -> [EncodedPacket] {
        let samplesPerPacket = framesPerPacket * format.channelCount
        var packets: [EncodedPacket] = []
        while let chunk = pending.take(samplesPerPacket) {
            let data = try encodePacket(chunk)
            packets.append(
                EncodedPacket(
                    data: data, frameCount: framesPerPacket, trimAtStart: packetCount == 0 ? lookahead : 0,
                    trimAtEnd: pending.count < samplesPerPacket ? trimAtEndOfLast : 0))
            packetCount += 1
        }
        return packets
    }

    private func encodePacket(_ samples: ArraySlice<Float>) throws(CodecError) -> [UInt8] {
        let length = samples.withUnsafeBufferPointer { input in
            guard let input = input.baseAddress else { return OPUS_BAD_ARG }
            return opus_encode_float(
                handle.pointer, input, Int32(framesPerPacket), &packetBuffer, Int32(packetBuffer.count))
        }
        guard length > 0, Int(length) <= packetBuffer.count else {
            throw .library("libopus failed to encode (\(opusMessage(length)))")
        }
        return Array(packetBuffer[..<Int(length)])
    }
}

/// Owns libopus's encoder.
private struct OpusEncoderHandle: ~Copyable {
    let pointer: OpaquePointer

    init(channelCount: Int) throws(CodecError) {
        var status: Int32 = 0
        guard let encoder = opus_encoder_create(48_000, Int32(channelCount), OPUS_APPLICATION_AUDIO, &status) else {
            throw .library("libopus could not create an encoder (\(opusMessage(status)))")
        }
        pointer = encoder
    }

    deinit { opus_encoder_destroy(pointer) }
}

/// libopus's words for one of its codes.
func opusMessage(_ status: Int32) -> String {
    opus_strerror(status).map { String(cString: $0) } ?? "error \(status)"
}
