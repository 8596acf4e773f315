#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

extension MediumTracks {
    /// What an open medium has; nil for one track of music without chapters.
    ///
    /// - Parameters:
    ///   - zero: the medium's own time of the asset's beginning.
    ///   - duration: how long the asset is, where that is known.
    init?(_ demuxer: Demuxer, zero: MediaTime, duration: MediaTime?) {
        let context = demuxer.context
        let audio = AudioTrack.tracks(of: context)
        let hasPictures = !VideoTrack.tracks(of: context).isEmpty
        var subtitles = SubtitleTrack.tracks(of: context)
        if hasPictures { subtitles += (try? SubtitleTrack.files(beside: demuxer.input)) ?? [] }
        let chapters = Chapter.chapters(of: context, zero: zero, duration: duration)
        guard audio.count > 1 || hasPictures || !subtitles.isEmpty || !chapters.isEmpty else { return nil }
        self.init(
            audio: audio, audioIndex: audio.firstIndex { $0.id == Int(demuxer.stream.pointee.index) },
            subtitles: subtitles.prefix(Self.maximumTracks).map(\.shortened), chapters: chapters)
    }

    /// A title as people are shown it; nil when it is missing or blank.
    static func title(in dictionary: OpaquePointer?) -> String? {
        Tags.value("title", in: dictionary).flatMap(shortened)
    }

    static func shortened(_ title: String) -> String? {
        let title = String(PeerText.shown(title).prefix(maximumTitle))
        return title.isEmpty ? nil : title
    }

    /// A language that is one; nil otherwise.
    static func language(in dictionary: OpaquePointer?) -> String? {
        Tags.value("language", in: dictionary).flatMap { LanguageTag($0) == nil ? nil : $0 }
    }
}

extension AudioTrack {
    /// The audio tracks of an open medium, the first 64 of them.
    static func tracks(of context: UnsafeMutablePointer<AVFormatContext>) -> [AudioTrack] {
        let streams = (0..<Int(context.pointee.nb_streams)).lazy.compactMap { context.pointee.streams?[$0] }
        return Array(streams.compactMap(AudioTrack.init).prefix(MediumTracks.maximumTracks))
    }

    /// Nil for what is no audio track.
    private init?(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        guard parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO else { return nil }
        self.init(
            id: Int(stream.pointee.index), language: MediumTracks.language(in: stream.pointee.metadata),
            title: MediumTracks.title(in: stream.pointee.metadata),
            codec: String(cString: avcodec_get_name(parameters.pointee.codec_id)),
            channelCount: max(0, Int(parameters.pointee.ch_layout.nb_channels)),
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0)
    }
}

extension SubtitleTrack {
    /// With a title that people can be shown, and no language that is none.
    fileprivate var shortened: SubtitleTrack {
        SubtitleTrack(
            id: id, codec: codec, language: language.flatMap { LanguageTag($0) == nil ? nil : $0 },
            title: title.flatMap(MediumTracks.shortened), isDefault: isDefault, isForced: isForced)
    }
}

extension Chapter {
    /// The chapters of an open medium that begin in the asset, the first 256 of them. The one in which the asset begins
    /// begins with it.
    fileprivate static func chapters(
        of context: UnsafeMutablePointer<AVFormatContext>, zero: MediaTime, duration: MediaTime?
    ) -> [Chapter] {
        let count = Int(min(context.pointee.nb_chapters, UInt32(MediumTracks.maximumChapters)))
        let all = (0..<count).compactMap { index -> Chapter? in
            guard let chapter = context.pointee.chapters?[index],
                let start = FilmTimeline(
                    numerator: chapter.pointee.time_base.num, timescale: chapter.pointee.time_base.den)?
                    .time(chapter.pointee.start)
            else { return nil }
            return Chapter(start: start - zero, title: MediumTracks.title(in: chapter.pointee.metadata))
        }
        let sorted = all.sorted { $0.start < $1.start }
        let begun = sorted.last { $0.start <= .zero }.map { Chapter(start: .zero, title: $0.title) }
        let later = sorted.filter { chapter in
            chapter.start > .zero && (duration.map { chapter.start < $0 } ?? true)
        }
        return (begun.map { [$0] } ?? []) + later
    }
}
#endif
