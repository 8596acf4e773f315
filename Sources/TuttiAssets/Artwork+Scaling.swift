#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import CFFmpegPictures
import Glibc
package import TuttiFFmpeg

extension AssetInfo.Artwork {
    /// Pixels of a picture that is decoded at most, 4096 × 4096: 134 MB where each has four times 16 bits, 50 MB mostly.
    private static let mostPixels: Int64 = 16 << 20
    /// Of JPEG, from 1 (best) to 31: hardly to be told from the original on a screen, at 100 kB for 640 × 640.
    private static let quality: Int32 = 3

    /// The picture as JPEG that fits into a square, never larger than it was.
    ///
    /// - Parameter side: of the square, in pixels, 16 … 4096.
    /// - Throws: what is wrong with the picture.
    package func scaled(to side: Int) throws(FFmpegError) -> [UInt8] { try still(within: side).data }

    /// The picture as a still one for screens: JPEG that fits into a square, never larger than it was.
    ///
    /// - Parameter side: of the square, in pixels, 16 … 4096.
    /// - Throws: what is wrong with the picture.
    package func still(within side: Int) throws(FFmpegError) -> StillPicture {
        precondition((16...4_096).contains(side), "a side has some pixels")
        let whole = try decoded()
        let (width, height) = (Int(whole.pointer.pointee.width), Int(whole.pointer.pointee.height))
        guard width > 0, height > 0 else { throw .invalidData }
        let ratio = min(1, Double(side) / Double(max(width, height)))
        let small = try Picture()
        small.pointer.pointee.format = AV_PIX_FMT_YUVJ420P.rawValue
        small.pointer.pointee.width = Int32(max(1, (Double(width) * ratio).rounded()))
        small.pointer.pointee.height = Int32(max(1, (Double(height) * ratio).rounded()))
        try FFmpegError.check(av_frame_get_buffer(small.pointer, 0), "scaling")
        let (from, to) = (whole.pointer.pointee, small.pointer.pointee)
        guard
            let scaler = sws_getContext(
                from.width, from.height, AVPixelFormat(from.format), to.width, to.height, AVPixelFormat(to.format),
                SWS_AREA | SWS_ACCURATE_RND, nil, nil, nil)
        else { throw .unsupported("pictures with pixels of this kind") }
        defer { sws_freeContext(scaler) }
        try FFmpegError.check(sws_scale_frame(scaler, small.pointer, whole.pointer), "scaling")
        let image = try Self.encode(small)
        guard let still = StillPicture(jpeg: image, width: Int(to.width), height: Int(to.height)) else {
            throw .invalidData
        }
        return still
    }

    private func decoded() throws(FFmpegError) -> Picture {
        let kind = Self.kinds.first { $0.mimeType == self.mimeType }
        guard let kind, let codec = avcodec_find_decoder(kind.codec) else { throw .unsupported(mimeType) }
        let context = try PictureCoder(codec)
        context.pointer.pointee.max_pixels = Self.mostPixels
        context.pointer.pointee.thread_count = 1
        try FFmpegError.check(avcodec_open2(context.pointer, codec, nil), "opening the decoder")
        try context.packet.take(data)
        try FFmpegError.check(avcodec_send_packet(context.pointer, context.packet.pointer), "decoding")
        try FFmpegError.check(avcodec_send_packet(context.pointer, nil), "decoding")
        let picture = try Picture()
        try FFmpegError.check(avcodec_receive_frame(context.pointer, picture.pointer), "decoding")
        return picture
    }

    private static func encode(_ picture: Picture) throws(FFmpegError) -> [UInt8] {
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else { throw .unsupported("no encoder for JPEG") }
        let context = try PictureCoder(codec)
        context.pointer.pointee.width = picture.pointer.pointee.width
        context.pointer.pointee.height = picture.pointer.pointee.height
        context.pointer.pointee.pix_fmt = AVPixelFormat(picture.pointer.pointee.format)
        context.pointer.pointee.time_base = AVRational(num: 1, den: 1)
        context.pointer.pointee.thread_count = 1
        context.pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointer.pointee.global_quality = quality * FF_QP2LAMBDA
        picture.pointer.pointee.quality = quality * FF_QP2LAMBDA
        try FFmpegError.check(avcodec_open2(context.pointer, codec, nil), "opening the encoder")
        try FFmpegError.check(avcodec_send_frame(context.pointer, picture.pointer), "encoding")
        try FFmpegError.check(avcodec_send_frame(context.pointer, nil), "encoding")
        try FFmpegError.check(avcodec_receive_packet(context.pointer, context.packet.pointer), "encoding")
        return context.packet.bytes
    }
}

/// Pixels, freed with the object.
private final class Picture {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(FFmpegError) {
        guard let frame = av_frame_alloc() else { throw .outOfMemory }
        pointer = frame
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&owned)
    }
}

/// A coded picture, freed with the object.
private final class CodedPicture {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(FFmpegError) {
        FFmpegLibrary.prepare()
        guard let packet = av_packet_alloc() else { throw .outOfMemory }
        pointer = packet
    }

    deinit {
        var owned: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&owned)
    }

    func take(_ data: [UInt8]) throws(FFmpegError) {
        try FFmpegError.check(av_new_packet(pointer, Int32(clamping: data.count)), "decoding")
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { memcpy(pointer.pointee.data, base, bytes.count) }
        }
    }

    var bytes: [UInt8] {
        Array(UnsafeBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size))))
    }
}

/// One of libavcodec's coders, freed with the object, and what it reads or writes.
private final class PictureCoder {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    let packet: CodedPicture

    init(_ codec: UnsafePointer<AVCodec>) throws(FFmpegError) {
        packet = try CodedPicture()
        guard let context = avcodec_alloc_context3(codec) else { throw .outOfMemory }
        pointer = context
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&owned)
    }
}
#endif
