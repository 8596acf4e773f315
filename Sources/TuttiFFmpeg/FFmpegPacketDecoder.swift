import CFFmpeg
package import TuttiCore

/// Packets of an original format (AAC, MP3, ALAC, Vorbis …) to samples in the source's own channels.
///
/// Every buffer becomes exactly its audible frames, so that the programme's time line holds whatever the packets
/// contain: what a decoder does not deliver (Vorbis's first packet, a decoder that warms up) is silence in front.
package final class FFmpegPacketDecoder {
    /// What the packets are.
    package let format: AudioFormat
    private let decoder: FFmpegDecoder
    private let packet: UnsafeMutablePointer<AVPacket>
    private var converter = FrameConverter(output: .sourceChannels)

    /// A decoder for packets of `format`.
    ///
    /// - Throws: `.unsupported` for the formats that FFmpeg is not used for (PCM) or has no decoder for;
    ///   `.invalidData` for a magic cookie that the decoder refuses.
    package init(format: AudioFormat) throws(FFmpegError) {
        guard let parameters = avcodec_parameters_alloc() else { throw .outOfMemory }
        defer {
            var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
            avcodec_parameters_free(&owned)
        }
        try parameters.describe(format)
        decoder = try FFmpegDecoder(
            parameters: parameters, packetTimeBase: AVRational(num: 1, den: Int32(format.sampleRate)))
        guard let packet = av_packet_alloc() else { throw .outOfMemory }
        self.packet = packet
        self.format = format
    }

    deinit {
        var owned: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&owned)
    }

    /// The audible samples of one buffer.
    ///
    /// - Throws: `.invalidData` for a packet that does not decode (the decoder stays usable) or a buffer of another
    ///   format than the decoder's.
    package func decode(_ buffer: SampleBuffer) throws(FFmpegError) -> PCMBlock {
        guard buffer.format == format, !buffer.data.isEmpty, let size = Int32(exactly: buffer.data.count),
            size < Int32.max - AV_INPUT_BUFFER_PADDING_SIZE
        else { throw .invalidData }
        try FFmpegError.check(av_new_packet(packet, size), "decoding")
        defer { av_packet_unref(packet) }
        buffer.data.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: packet.pointee.data, count: bytes.count).copyMemory(from: bytes)
        }
        try decoder.send(packet)
        var decoded: [Float] = []
        while case .frame(let frame) = try decoder.receive() { decoded += try converter.convert(frame) }
        return audible(decoded, of: buffer)
    }

    /// Forgets the packets before: after a seek or a lost packet.
    package func reset() {
        decoder.flush()
        converter.reset()
    }

    private func audible(_ decoded: [Float], of buffer: SampleBuffer) -> PCMBlock {
        let channels = converter.channelCount == 0 ? format.channelCount : converter.channelCount
        let rate = converter.sampleRate == 0 ? format.sampleRate : converter.sampleRate
        let missing = max(0, buffer.frameCount - decoded.count / channels)
        let first = buffer.trimAtStart
        let silence = min(max(0, missing - first), buffer.audibleFrameCount)
        var samples = [Float](repeating: 0, count: silence * channels)
        let from = max(0, first - missing) * channels
        let count = (buffer.audibleFrameCount - silence) * channels
        samples.append(contentsOf: decoded.dropFirst(from).prefix(count))
        return PCMBlock(samples: samples, channelCount: channels, sampleRate: rate)
    }
}
