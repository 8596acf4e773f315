#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiFFmpeg

extension SubtitleTrack {
    /// The subtitle tracks of an input: those of the medium, then the files beside it.
    ///
    /// - Throws: what is wrong with the medium. A folder that cannot be read has no files.
    package static func tracks(
        of input: AssetInput, interrupter: Interrupter = Interrupter(), policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) -> [SubtitleTrack] {
        let film = try FilmReader(input, interrupter: interrupter, policy: policy)
        return film.subtitleTracks + ((try? files(beside: input)) ?? [])
    }

    /// The subtitle tracks of an open medium that are of a known coding.
    static func tracks(of context: UnsafeMutablePointer<AVFormatContext>) -> [SubtitleTrack] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams?[index].flatMap { SubtitleTrack($0) }
        }
    }

    /// Nil for what is no subtitle track, or one of a coding that is not shown here.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        guard parameters.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE, let codec = Codec(parameters.pointee.codec_id)
        else { return nil }
        let language = Tags.value("language", in: stream.pointee.metadata)
        self.init(
            id: .stream(Int(stream.pointee.index)), codec: codec, language: language == "und" ? nil : language,
            title: Tags.value("title", in: stream.pointee.metadata),
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0,
            isForced: stream.pointee.disposition & AV_DISPOSITION_FORCED != 0)
    }
}

extension SubtitleTrack.Codec {
    init?(_ id: AVCodecID) {
        switch id {
        case AV_CODEC_ID_SUBRIP: self = .subRip
        case AV_CODEC_ID_ASS, AV_CODEC_ID_SSA: self = .ass
        case AV_CODEC_ID_WEBVTT: self = .webVTT
        case AV_CODEC_ID_MOV_TEXT: self = .timedText
        case AV_CODEC_ID_HDMV_PGS_SUBTITLE: self = .pgs
        case AV_CODEC_ID_DVD_SUBTITLE: self = .vobSub
        case AV_CODEC_ID_DVB_SUBTITLE: self = .dvb
        default: return nil
        }
    }
}
#endif
