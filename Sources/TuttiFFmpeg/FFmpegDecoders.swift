package import TuttiCodecs
package import TuttiCore

/// Decoders of everything that can travel: what `Codecs` has, and original formats through libavcodec.
package enum FFmpegDecoders {
    /// In order of preference on the wire.
    package static let decodable = Codecs.decodable + FFmpegPacketDecoder.decodable

    /// A decoder for packets of `format`, whose fields and magic cookie may come from anywhere.
    package static func make(for format: AudioFormat) throws(CodecError) -> any PacketDecoder {
        if FFmpegPacketDecoder.decodable.contains(format.codec) { return try FFmpegPacketDecoder(format: format) }
        return try Codecs.makeDecoder(for: format)
    }
}
