#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

extension AssetInfo {
    /// Reads tags, shape and cover from an open medium; what the input itself names wins over the tags.
    ///
    /// - Parameters:
    ///   - firstFrame: of the stream, where the asset begins.
    ///   - lead: frames of the stream before the medium's beginning.
    ///   - endFrame: where it ends; nil for the end of the medium.
    init(_ source: DecodedStream, medium: MediumDuration, firstFrame: Int64, lead: Int64, endFrame: Int64?) {
        let input = source.input
        let tags = Tags(source.demuxer)
        let parameters: UnsafeMutablePointer<AVCodecParameters> = source.demuxer.stream.pointee.codecpar
        let rate = source.sampleRate
        let end = endFrame ?? medium.frames.map { $0 + (medium.isOfMedium ? lead : 0) }
        let duration = end.map { MediaTime(frame: max(0, $0 - firstFrame), sampleRate: rate) }
        let zero = source.firstTime.map { $0 + MediaTime(frame: firstFrame, sampleRate: rate) }
        let tracks = MediumTracks(source.demuxer, zero: zero ?? .zero, duration: duration)
        // What the one stream of music is called is the track's title; of several streams, each has its own.
        let title = tracks == nil ? tags["title"] : Tags.value("title", in: source.demuxer.context.pointee.metadata)
        self.init(
            title: input.title ?? title ?? tags["icy-name"], artist: input.artist ?? tags["artist"],
            album: input.album ?? tags["album"], track: input.track ?? tags.number("track"),
            duration: duration, isDurationExact: medium.isExact || (endFrame != nil && medium.frames == nil),
            isDurationDeclared: medium.isDeclared || endFrame != nil,
            sampleRate: rate, channelCount: Int(parameters.pointee.ch_layout.nb_channels),
            bitDepth: Self.bitDepth(parameters, decoder: source.decoder.significantBits),
            codec: String(cString: avcodec_get_name(parameters.pointee.codec_id)),
            loudness: Self.loudness(of: input, tags), tracks: tracks,
            artwork: Artwork(source.demuxer), isEndless: source.demuxer.isEndless)
    }

    /// What tags say of the loudness. Those of a file with a whole album in it are not about one of its tracks.
    private static func loudness(of input: AssetInput, _ tags: Tags) -> TrackLoudness? {
        var loudness = TrackLoudness { tags[$0] }
        if input.isPart { loudness = TrackLoudness(album: loudness.album ?? loudness.track) }
        return loudness == TrackLoudness() ? nil : loudness
    }

    private static func bitDepth(_ parameters: UnsafeMutablePointer<AVCodecParameters>, decoder: Int) -> Int {
        let format = AVSampleFormat(parameters.pointee.format)
        let coded = av_get_exact_bits_per_sample(parameters.pointee.codec_id)
        let isFloat = [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP].contains(format)
        let isLossless =
            avcodec_descriptor_get(parameters.pointee.codec_id)
            .map { $0.pointee.props & AV_CODEC_PROP_LOSSLESS != 0 } ?? false
        if isFloat { return isLossless || coded > 0 ? 32 : 16 }
        let known = [decoder, Int(parameters.pointee.bits_per_raw_sample), Int(coded)].first { $0 > 0 }
        let bits = isLossless || coded > 0 ? known ?? Int(av_get_bytes_per_sample(format)) * 8 : 16
        return min(max(bits, AudioFormat.Limits.bitDepths.lowerBound), AudioFormat.Limits.bitDepths.upperBound)
    }
}

extension AssetInfo.Artwork {
    /// The first embedded picture of a known kind and bearable size.
    init?(_ demuxer: Demuxer) {
        for index in 0..<Int(demuxer.context.pointee.nb_streams) {
            guard let stream = demuxer.context.pointee.streams?[index],
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
                let mimeType = Self.kinds.first(where: { $0.codec == stream.pointee.codecpar.pointee.codec_id })?
                    .mimeType,
                let bytes = stream.pointee.attached_pic.data
            else { continue }
            let count = Int(stream.pointee.attached_pic.size)
            guard (1...Self.maximumBytes).contains(count) else { continue }
            self.init(data: Array(UnsafeBufferPointer(start: bytes, count: count)), mimeType: mimeType)
            return
        }
        return nil
    }

    /// Kinds of pictures, as libavcodec and as the world calls them.
    static let kinds: [(codec: AVCodecID, mimeType: String)] = [
        (AV_CODEC_ID_MJPEG, "image/jpeg"), (AV_CODEC_ID_PNG, "image/png"),
        (AV_CODEC_ID_GIF, "image/gif"), (AV_CODEC_ID_BMP, "image/bmp"), (AV_CODEC_ID_WEBP, "image/webp"),
        (AV_CODEC_ID_TIFF, "image/tiff"),
    ]
}
#endif
