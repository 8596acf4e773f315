#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

extension AssetTags {
    /// Reads what a local file says of itself.
    ///
    /// Most containers tell all of it in their headers. Only where those name neither a stream of sound nor a length are
    /// packets looked at, which takes ten times as long.
    ///
    /// - Throws: what is wrong with the file, naming it.
    package static func read(_ path: String) throws(AssetError) -> AssetTags {
        FFmpegLibrary.prepare()
        let input = AssetInput(uri: path)
        guard !input.isRemote, !input.isReadOnce else {
            throw .unsupported(input.name, reason: "only files have tags that can be read beforehand")
        }
        let source = try DemuxerSource(input, interrupter: Interrupter(), policy: ReconnectPolicy())
        let context = try source.open(isEvident: true)
        defer { source.close(context) }
        var stream = soundStream(of: context)
        var duration = stream.flatMap { Self.duration(of: context, $0) }
        if duration == nil {
            guard avformat_find_stream_info(context, nil) >= 0 else { throw source.notAudio }
            stream = soundStream(of: context)
            if let stream {
                let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
                guard parameters.pointee.sample_rate > 0 else { throw source.notAudio }
                duration = Self.duration(of: context, stream)
            }
        }
        guard let stream else { throw context.pointee.nb_streams == 0 ? source.notAudio : .noAudioStream(input.name) }
        var tags = AssetTags(Tags(context, stream))
        tags.duration = duration
        tags.cueSheet = Tags.long("cuesheet", of: context, stream).map { CueSheet(bytes: $0) }
        tags.artworkBytes = pictureBytes(in: context)
        return tags
    }

    private init(_ tags: Tags) {
        title = tags["title"]
        artist = tags["artist"]
        albumArtist = tags.first("album_artist", "albumartist", "album artist")
        album = tags["album"]
        disc = tags.number(tags["disc"] == nil ? "discnumber" : "disc").flatMap(Self.counted)
        track = tags.number(tags["track"] == nil ? "tracknumber" : "track").flatMap(Self.counted)
        year = tags.first("date", "year", "tyer", "originaldate").flatMap(Self.year)
        genre = tags["genre"]
        composer = tags["composer"]
        work = tags["work"]
        isCompilation = Self.isSet(tags.first("compilation", "tcmp", "itunescompilation"))
        let loudness = TrackLoudness { tags[$0] }
        if loudness != TrackLoudness() { self.loudness = loudness }
        isGuessed = tags.isGuessed
    }

    private static func counted(_ number: Int) -> Int? { numbers.contains(number) ? number : nil }

    /// The first stream of sound; nil while the header has named none.
    private static func soundStream(
        of context: UnsafeMutablePointer<AVFormatContext>
    ) -> UnsafeMutablePointer<AVStream>? {
        streams(of: context).first { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    }

    private static func streams(
        of context: UnsafeMutablePointer<AVFormatContext>
    ) -> some Sequence<UnsafeMutablePointer<AVStream>> {
        (0..<Int(context.pointee.nb_streams)).lazy.compactMap { context.pointee.streams?[$0] }
    }

    /// How long a stream is, or its medium, as far as its header tells.
    private static func duration(
        of context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>
    ) -> MediaTime? {
        let base = stream.pointee.time_base
        var seconds = 0.0
        if stream.pointee.duration > 0, base.den > 0 {
            seconds = Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
        } else if context.pointee.duration > 0 {
            seconds = Double(context.pointee.duration) / Double(tutti_time_base())
        }
        guard seconds > 0, seconds <= maximumSeconds else { return nil }
        return MediaTime(value: Int64((seconds * 1_000).rounded()), timescale: 1_000)
    }

    /// A year; what claims to be longer is a mistake.
    private static let maximumSeconds = 366.0 * 86_400

    /// The size of the first picture inside, whatever it is.
    private static func pictureBytes(in context: UnsafeMutablePointer<AVFormatContext>) -> Int {
        let picture = streams(of: context).first { $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
        return max(0, Int(picture?.pointee.attached_pic.size ?? 0))
    }
}
#endif
