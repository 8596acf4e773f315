#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiFFmpeg

/// Tells in which order the pictures of a stream are shown, from their headers.
final class PictureNumberParser {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>

    /// A parser for a stream; nil where its coding has no picture order count, reorders nothing, or cannot be parsed.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        let codec = parameters.pointee.codec_id
        guard [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(codec), parameters.pointee.video_delay > 0,
            let parser = av_parser_init(Int32(codec.rawValue))
        else { return nil }
        guard let context = avcodec_alloc_context3(nil) else {
            av_parser_close(parser)
            return nil
        }
        (self.parser, self.context) = (parser, context)
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        guard avcodec_parameters_to_context(context, parameters) >= 0 else { return nil }
    }

    deinit {
        av_parser_close(parser)
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
    }

    /// The picture order count (ITU-T H.264, 8.2.1; H.265, 8.3.1) of the picture in a packet, which follows on the one
    /// before.
    func number(of packet: UnsafePointer<AVPacket>) -> Int {
        var output: UnsafeMutablePointer<UInt8>?
        var size: Int32 = 0
        _ = av_parser_parse2(
            parser, context, &output, &size, packet.pointee.data, packet.pointee.size, packet.pointee.pts,
            packet.pointee.dts, packet.pointee.pos)
        return Int(parser.pointee.output_picture_number)
    }
}
#endif
