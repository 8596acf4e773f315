#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

extension VideoTrack {
    /// Streams of pictures that come once, or now and then: no film.
    private static let stills = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS

    /// The video tracks of an open medium.
    static func tracks(of context: UnsafeMutablePointer<AVFormatContext>) -> [VideoTrack] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams?[index].flatMap { VideoTrack($0, of: context) }
        }
    }

    /// What pictures of an open medium are called that are no video track because nothing here decodes them.
    static func unknownCoding(in context: UnsafeMutablePointer<AVFormatContext>) -> String? {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams?[index], isFilm(stream) else { continue }
            return avcodec_get_name(stream.pointee.codecpar.pointee.codec_id).map { String(cString: $0) }
        }
        return nil
    }

    private static func isFilm(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO && stream.pointee.disposition & stills == 0
    }

    /// Nil for what is no video track, or one that nothing here decodes.
    private init?(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        guard Self.isFilm(stream), let format = VideoFormat(stream), let timeline = FilmTimeline(stream) else {
            return nil
        }
        let total = MediaTime(value: context.pointee.duration, timescale: Int32(tutti_time_base()))
        let length = stream.pointee.duration == tutti_no_pts() ? nil : timeline.duration(stream.pointee.duration)
        let language = Tags.value("language", in: stream.pointee.metadata)
        let turns = Int(tutti_stream_quarter_turns(stream))
        self.init(
            id: Int(stream.pointee.index), format: format, frameDuration: Self.frameDuration(stream),
            duration: [length, total].compactMap { $0 }.first { $0.isPositive },
            language: language == "und" ? nil : language,
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0, rotation: turns * 90)
    }

    private static func frameDuration(_ stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
        for rate in [stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate] where rate.num > 0 && rate.den > 0 {
            return MediaTime(value: Int64(rate.den), timescale: rate.num)
        }
        return nil
    }
}

extension VideoFormat {
    /// What the pictures of a stream are; nil for a coding that nothing here decodes, and outside of the limits.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        guard let codec = Codec.allCases.first(where: { $0.ffmpegID == parameters.pointee.codec_id }) else {
            return nil
        }
        let aspects = [stream.pointee.sample_aspect_ratio, parameters.pointee.sample_aspect_ratio]
        let aspect = aspects.lazy.compactMap {
            PixelAspectRatio(horizontalSpacing: Int($0.num), verticalSpacing: Int($0.den))
        }.first
        self.init(
            codec: codec, width: Int(parameters.pointee.width), height: Int(parameters.pointee.height),
            pixelAspectRatio: aspect ?? .square,
            magicCookie: Array(
                UnsafeBufferPointer(
                    start: parameters.pointee.extradata, count: Int(max(0, parameters.pointee.extradata_size)))))
    }
}

extension FilmTimeline {
    /// The timeline of a stream's own timestamps; nil for a stream without a sensible time base.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        self.init(numerator: stream.pointee.time_base.num, timescale: stream.pointee.time_base.den)
    }
}
#endif
