package import CFFmpeg
package import TuttiCore

extension UnsafeMutablePointer where Pointee == AVCodecParameters {
    /// Fills the parameters in from `format`.
    func describe(_ format: AudioFormat, _ ffmpeg: tutti_codecs) throws(FFmpegError) {
        guard let codec = format.codec.ffmpegID else { throw .unsupported("\(format.codec.rawValue) packets") }
        pointee.codec_type = AVMEDIA_TYPE_AUDIO
        pointee.codec_id = codec
        pointee.sample_rate = Int32(format.sampleRate)
        pointee.bits_per_raw_sample = Int32(format.bitDepth)
        ffmpeg.av_channel_layout_default(&pointee.ch_layout, Int32(format.channelCount))
        let cookie = format.codec == .alac ? try Self.alacAtom(around: format.magicCookie) : format.magicCookie
        try setExtradata(cookie, ffmpeg)
    }

    /// Fills the parameters in from `format`.
    func describe(_ format: VideoFormat, _ ffmpeg: tutti_codecs) throws(FFmpegError) {
        pointee.codec_type = AVMEDIA_TYPE_VIDEO
        pointee.codec_id = format.codec.ffmpegID
        (pointee.width, pointee.height) = (Int32(format.width), Int32(format.height))
        try setExtradata(format.magicCookie, ffmpeg)
    }

    private func setExtradata(_ cookie: [UInt8], _ ffmpeg: tutti_codecs) throws(FFmpegError) {
        guard !cookie.isEmpty else { return }
        guard let memory = ffmpeg.av_mallocz(cookie.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw .outOfMemory
        }
        memory.copyMemory(from: cookie, byteCount: cookie.count)
        pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointee.extradata_size = Int32(cookie.count)
    }

    /// FFmpeg wants the whole `alac` atom: size, name, version and flags, then the 24 bytes of configuration.
    ///
    /// - Throws: `.invalidData` for one of another length, or with packets of more frames than anybody makes: the
    ///   decoder sets memory aside for them.
    private static func alacAtom(around cookie: [UInt8]) throws(FFmpegError) -> [UInt8] {
        let header: [UInt8] = [0, 0, 0, 36, 0x61, 0x6C, 0x61, 0x63, 0, 0, 0, 0]
        guard [24, 28, 36].contains(cookie.count) else { throw .invalidData }
        let configuration = cookie.suffix(24)
        let frames = configuration.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard (1...maximumALACFrames).contains(frames) else { throw .invalidData }
        return header + configuration
    }

    private static var maximumALACFrames: Int { 65_536 }
}

extension AudioFormat.Codec {
    /// FFmpeg's number for the coding; nil for samples, which need no decoder.
    var ffmpegID: AVCodecID? {
        switch self {
        case .pcm, .float32: nil
        case .flac: AV_CODEC_ID_FLAC
        case .opus: AV_CODEC_ID_OPUS
        case .aac: AV_CODEC_ID_AAC
        case .mp3: AV_CODEC_ID_MP3
        case .alac: AV_CODEC_ID_ALAC
        case .vorbis: AV_CODEC_ID_VORBIS
        }
    }
}

extension VideoFormat.Codec {
    /// FFmpeg's number for the coding.
    package var ffmpegID: AVCodecID {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        case .vp8: AV_CODEC_ID_VP8
        case .vp9: AV_CODEC_ID_VP9
        case .av1: AV_CODEC_ID_AV1
        case .mpeg1: AV_CODEC_ID_MPEG1VIDEO
        case .mpeg2: AV_CODEC_ID_MPEG2VIDEO
        case .mpeg4: AV_CODEC_ID_MPEG4
        case .mjpeg: AV_CODEC_ID_MJPEG
        case .theora: AV_CODEC_ID_THEORA
        }
    }
}
