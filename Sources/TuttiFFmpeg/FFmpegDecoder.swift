package import CFFmpeg
import Glibc

/// One libavcodec decoder: packets in, frames out, in the source's own sample format and channels.
///
/// Not safe for use by several threads at once. Packets that carry trimming side data come out trimmed.
package final class FFmpegDecoder {
    /// What `receive` has to offer.
    package enum Output {
        /// A decoded frame, valid until the next call of any method.
        case frame(UnsafeMutablePointer<AVFrame>)
        /// Nothing before another packet is sent.
        case needsInput
        /// Nothing more: the decoder has been drained.
        case ended
    }

    /// Frames that one packet may decode to; only a damaged or hostile one asks for more.
    private static let maximumFrameCount: Int64 = 1 << 20

    private let library: FFmpegLibrary
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>

    /// A decoder for a stream with these parameters.
    ///
    /// - Parameter packetTimeBase: seconds in one unit of the packets' timestamps.
    /// - Throws: `.unsupported` without FFmpeg, or a decoder for the coding; what libavcodec says to the parameters
    ///   otherwise.
    package init(parameters: UnsafePointer<AVCodecParameters>, packetTimeBase: AVRational) throws(FFmpegError) {
        library = try .loaded()
        let ffmpeg = library.functions
        guard let codec = ffmpeg.avcodec_find_decoder(parameters.pointee.codec_id) else {
            let name = ffmpeg.avcodec_get_name(parameters.pointee.codec_id).map { String(cString: $0) }
            throw .unsupported("no decoder for \(name ?? "this codec")")
        }
        context = try library.openDecoder(codec, parameters: parameters) { context in
            context.pointee.pkt_timebase = packetTimeBase
            context.pointee.thread_count = 1
            context.pointee.max_samples = Self.maximumFrameCount
        }
        guard let frame = ffmpeg.av_frame_alloc() else {
            library.free(context)
            throw .outOfMemory
        }
        self.frame = frame
    }

    deinit {
        var ownedFrame: UnsafeMutablePointer<AVFrame>? = frame
        library.functions.av_frame_free(&ownedFrame)
        library.free(context)
    }

    /// Hands over a packet; nil begins draining. Every frame that is ready must have been received before.
    package func send(_ packet: UnsafePointer<AVPacket>?) throws(FFmpegError) {
        try FFmpegError.check(library.functions.avcodec_send_packet(context, packet), "decoding")
    }

    /// The next frame.
    ///
    /// - Throws: what libavcodec says of the packet sent last; decoding may go on with the next packet.
    package func receive() throws(FFmpegError) -> Output {
        let code = library.functions.avcodec_receive_frame(context, frame)
        if code == tutti_averror(EAGAIN) { return .needsInput }
        if code == tutti_averror_eof() { return .ended }
        try FFmpegError.check(code, "decoding")
        return .frame(frame)
    }

    /// Forgets everything that was sent: after seeking, or to decode on after draining.
    package func flush() { library.functions.avcodec_flush_buffers(context) }

    /// Frames of each packet, where a coding has a fixed number and the decoder has seen one; else 0.
    package var frameSize: Int { Int(context.pointee.frame_size) }

    /// Channels that the decoder gives, known for certain once it has seen a packet.
    package var channelCount: Int { Int(context.pointee.ch_layout.nb_channels) }

    /// Significant bits of a sample as the decoder knows them; 0 when it does not (lossy codings).
    package var significantBits: Int { Int(context.pointee.bits_per_raw_sample) }
}
