import CFFmpeg
import TuttiCore

extension VideoFrame {
    /// A frame of libavcodec's as it lies in memory.
    ///
    /// - Throws: `.unsupported` for pixels that lie in another way, `.invalidData` without memory or of a size beyond the
    ///   limits.
    convenience init(
        _ owner: FrameOwner, start: MediaTime, duration: MediaTime?, _ format: VideoFormat
    ) throws(FFmpegError) {
        let frame = owner.frame.pointee
        let (width, height) = (Int(frame.width), Int(frame.height))
        guard let layout = PixelLayout(ffmpeg: frame.format) else {
            throw .unsupported("pictures with pixels of FFmpeg's format \(owner.pixelFormatName)")
        }
        guard VideoFormat.Limits.sides.contains(width), VideoFormat.Limits.sides.contains(height),
            VideoFormat.Limits.pixels.contains(width * height)
        else { throw .invalidData }
        let data = [
            (frame.data.0, frame.linesize.0), (frame.data.1, frame.linesize.1), (frame.data.2, frame.linesize.2),
        ]
        var planes: [Plane] = []
        for (memory, bytes) in data.prefix(layout.format.planeCount) {
            guard let memory, bytes > 0 else { throw .invalidData }
            planes.append(Plane(bytes: UnsafeRawPointer(memory), bytesPerRow: Int(bytes)))
        }
        let aspect = PixelAspectRatio(
            horizontalSpacing: Int(frame.sample_aspect_ratio.num), verticalSpacing: Int(frame.sample_aspect_ratio.den))
        self.init(
            pixelFormat: layout.format, width: width, height: height,
            pixelAspectRatio: aspect ?? format.pixelAspectRatio,
            colorMatrix: Self.matrix(frame.colorspace, height: height),
            isFullRange: layout.isFullRange || frame.color_range == AVCOL_RANGE_JPEG, presentationTime: start,
            duration: duration, planes: planes, owner: owner)
    }

    /// What is not said goes by the size, as players have it.
    private static func matrix(_ space: AVColorSpace, height: Int) -> ColorMatrix {
        switch space {
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
        default: height >= 720 ? .bt709 : .bt601
        }
    }
}

/// How the pixels of a frame of libavcodec's lie.
private struct PixelLayout {
    let format: VideoFrame.PixelFormat
    /// Whether the format itself says that values use all bits.
    var isFullRange = false

    init?(ffmpeg: Int32) {
        switch AVPixelFormat(ffmpeg) {
        case AV_PIX_FMT_YUV420P: format = .yuv420
        case AV_PIX_FMT_YUV422P: format = .yuv422
        case AV_PIX_FMT_YUV444P: format = .yuv444
        case AV_PIX_FMT_YUVJ420P: (format, isFullRange) = (.yuv420, true)
        case AV_PIX_FMT_YUVJ422P: (format, isFullRange) = (.yuv422, true)
        case AV_PIX_FMT_YUVJ444P: (format, isFullRange) = (.yuv444, true)
        case AV_PIX_FMT_YUV420P10LE: format = .yuv420p10
        case AV_PIX_FMT_YUV422P10LE: format = .yuv422p10
        case AV_PIX_FMT_YUV444P10LE: format = .yuv444p10
        case AV_PIX_FMT_NV12: format = .nv12
        case AV_PIX_FMT_GRAY8: (format, isFullRange) = (.gray, true)
        case AV_PIX_FMT_BGRA: format = .bgra
        default: return nil
        }
    }
}
