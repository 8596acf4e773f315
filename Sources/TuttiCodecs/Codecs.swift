package import TuttiCore

/// The codecs that every speaker has: PCM, FLAC and Opus.
package enum Codecs {
    /// What `makeDecoder` decodes, in order of preference on the wire.
    package static let decodable: [AudioFormat.Codec] = [.flac, .opus, .pcm]

    /// An encoder for samples of `sourceRate` frames a second.
    ///
    /// `bitDepth` is what the source had (32 for floats): samples of up to the wire's depth pass bit for bit, deeper
    /// ones are dithered. Opus takes 48 000 Hz and one or two channels only; resampling is the caller's business.
    package static func makeEncoder(
        codec: AudioFormat.Codec, sourceRate: Int, channels: Int, bitDepth: Int,
        options: EncoderOptions = EncoderOptions()
    ) throws(CodecError) -> sending any PacketEncoder {
        guard AudioFormat.Limits.sampleRates.contains(sourceRate),
            AudioFormat.Limits.channelCounts.contains(channels), AudioFormat.Limits.bitDepths.contains(bitDepth)
        else { throw .invalidFormat("\(sourceRate):\(bitDepth):\(channels)") }
        switch codec {
        case .pcm:
            return try PCMPacketEncoder(
                sampleRate: sourceRate, channelCount: channels, bitDepth: bitDepth, options: options)
        case .flac:
            return try FLACPacketEncoder(
                sampleRate: sourceRate, channelCount: channels, bitDepth: bitDepth, options: options)
        case .opus:
            return try OpusPacketEncoder(
                sampleRate: sourceRate, channelCount: channels, bitDepth: bitDepth, options: options)
        case .float32, .aac, .mp3, .alac, .vorbis: throw .unsupported("\(codec.rawValue) on the wire")
        }
    }

    /// A decoder for packets of `format`: of `decodable`, or floats, which stay on one host. The format's fields and
    /// magic cookie may come from anywhere.
    package static func makeDecoder(for format: AudioFormat) throws(CodecError) -> sending any PacketDecoder {
        switch format.codec {
        case .pcm, .float32: return try PCMPacketDecoder(format: format)
        case .flac: return try FLACPacketDecoder(format: format)
        case .opus: return try OpusPacketDecoder(format: format)
        case .aac, .mp3, .alac, .vorbis: throw .unsupported(format.codec.rawValue)
        }
    }
}
