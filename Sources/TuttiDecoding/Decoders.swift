package import TuttiCodecs
package import TuttiCore

#if FFmpeg
import TuttiFFmpeg
#endif

/// What is decoded here: what every speaker has, and original formats where FFmpeg is built in.
package enum Decoders {
    /// In order of preference on the wire.
    package static let decodable: [AudioFormat.Codec] = {
        #if FFmpeg
        FFmpegDecoders.decodable
        #else
        Codecs.decodable
        #endif
    }()

    /// A decoder for packets of `format`, whose fields and magic cookie may come from anywhere.
    package static func make(for format: AudioFormat) throws(CodecError) -> any PacketDecoder {
        #if FFmpeg
        return try FFmpegDecoders.make(for: format)
        #else
        return try Codecs.makeDecoder(for: format)
        #endif
    }

    /// Codings of pictures, in order of preference on the wire.
    package static let decodableVideo: [VideoFormat.Codec] = {
        #if FFmpeg
        FFmpegVideoDecoder.decodable
        #else
        []
        #endif
    }()

    /// A decoder for pictures of `format`, whose fields and magic cookie may come from anywhere.
    package static func makeVideo(for format: VideoFormat) throws(CodecError) -> any VideoDecoder {
        #if FFmpeg
        return try FFmpegVideoDecoder(format: format)
        #else
        throw .unsupported("pictures: this build has no FFmpeg")
        #endif
    }
}
