import CFFmpeg
package import TuttiCodecs
package import TuttiCore

/// Packets of an original format (AAC, MP3, ALAC, Vorbis …) to samples in the source's own channels.
///
/// Every buffer becomes exactly its audible frames, so that the programme's time line holds whatever the packets
/// contain: what a decoder does not deliver (Vorbis's first packet, a decoder that warms up) is silence in front.
package final class FFmpegPacketDecoder: PacketDecoder {
    /// What libavcodec decodes of the formats that `Codecs` does not; nothing where it is not installed.
    package static let decodable: [AudioFormat.Codec] =
        FFmpegLibrary.isInstalled ? [.aac, .alac, .mp3, .vorbis] : []

    /// What the packets are.
    package let format: AudioFormat
    /// Packets are errors or decoded; libavcodec does not tell of what it conceals.
    package let concealedPacketCount = 0
    private let library: FFmpegLibrary
    private let decoder: FFmpegDecoder
    private let packet: UnsafeMutablePointer<AVPacket>
    /// Nothing has been decoded since the decoder began anew: it may need a packet before it gives frames.
    private var isFresh = true
    private var converter = FrameConverter(output: .sourceChannels)

    /// More frames than a packet of these codings can hold.
    private static let maximumFrameCount = 65_536

    /// A decoder for packets of `format`.
    ///
    /// - Throws: `.unsupported` for the formats that FFmpeg is not used for (PCM) or has no decoder for;
    ///   `.invalidFormat` for a magic cookie that the decoder refuses.
    package init(format: AudioFormat) throws(CodecError) {
        do {
            library = try .loaded()
            decoder = try Self.makeDecoder(for: format, library)
        } catch .unsupported(let what) {
            throw .unsupported(what)
        } catch {
            throw .invalidFormat(error.description)
        }
        do throws(FFmpegError) {
            packet = try library.makePacket()
        } catch {
            throw .library(error.description)
        }
        self.format = format
    }

    deinit { library.free(packet) }

    /// The audible samples of one buffer.
    ///
    /// - Throws: `.corruptPacket` for a packet that does not decode (the decoder stays usable), `.invalidFormat` for a
    ///   buffer of another format than the decoder's.
    package func decode(_ buffer: SampleBuffer) throws(CodecError) -> PCMBlock {
        guard buffer.format == format else { throw .invalidFormat("the packet has another format") }
        guard buffer.frameCount <= Self.maximumFrameCount else {
            throw .corruptPacket("\(buffer.frameCount) frames in a packet")
        }
        do {
            return audible(try samples(of: buffer.data, frameCount: buffer.frameCount), of: buffer)
        } catch .outOfMemory {
            throw .library(FFmpegError.outOfMemory.description)
        } catch {
            throw .corruptPacket(error.description)
        }
    }

    /// Forgets the packets before: after a seek or a lost packet.
    package func reset() {
        decoder.flush()
        converter.reset()
        isFresh = true
    }

    private static func makeDecoder(
        for format: AudioFormat, _ library: FFmpegLibrary
    ) throws(FFmpegError) -> FFmpegDecoder {
        try library.withParameters { parameters throws(FFmpegError) in
            try parameters.describe(format, library.functions)
            return try FFmpegDecoder(
                parameters: parameters, packetTimeBase: AVRational(num: 1, den: Int32(format.sampleRate)))
        }
    }

    /// Everything that the packet decodes to, interleaved.
    private func samples(of data: [UInt8], frameCount: Int) throws(FFmpegError) -> [Float] {
        try library.fill(packet, with: data)
        defer { library.functions.av_packet_unref(packet) }
        try decoder.send(packet)
        var decoded: [Float] = []
        while case .frame(let frame) = try decoder.receive() {
            decoded += try converter.convert(frame)
            // A packet stuffed with many others would fill the memory.
            let limit = (frameCount + Self.maximumFrameCount) * converter.channelCount
            guard converter.sampleRate == format.sampleRate, decoded.count <= limit else {
                decoder.flush()
                throw .invalidData
            }
        }
        if decoded.isEmpty, frameCount > 0, !isFresh { throw .invalidData }
        isFresh = false
        return decoded
    }

    private func audible(_ decoded: [Float], of buffer: SampleBuffer) -> PCMBlock {
        let channels = converter.channelCount == 0 ? format.channelCount : converter.channelCount
        let missing = max(0, buffer.frameCount - decoded.count / channels)
        let first = buffer.trimAtStart
        let silence = min(max(0, missing - first), buffer.audibleFrameCount)
        var samples = [Float](repeating: 0, count: silence * channels)
        let from = max(0, first - missing) * channels
        let count = (buffer.audibleFrameCount - silence) * channels
        samples.append(contentsOf: decoded.dropFirst(from).prefix(count))
        return PCMBlock(samples: samples, channelCount: channels, sampleRate: format.sampleRate)
    }
}
