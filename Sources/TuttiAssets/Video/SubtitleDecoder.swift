#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import TuttiCore
import TuttiFFmpeg

/// Makes the packets of a subtitle stream into what is shown.
final class SubtitleDecoder {
    /// What a packet says.
    struct Decoded {
        /// What is shown; empty where what was shown before ends.
        let contents: [SubtitleCue.Content]
        /// From when on, after the packet's own time.
        let delay: MediaTime
        /// How long, where the packet tells.
        let length: MediaTime?
    }

    let codec: SubtitleTrack.Codec
    /// What its texts refer to; nil for images.
    let style: SubtitleStyle?
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let timeline: FilmTimeline
    /// The film's size in square pixels; nil while it is not known.
    private let film: (width: Double, height: Double)?

    /// A picture has a few; more are left out.
    private static let maximumContents = 64
    private static let maximumBytes = 16 << 20

    /// A decoder for a stream.
    ///
    /// - Parameter pictures: the film's.
    /// - Throws: `.unsupported` for what is no subtitle stream of a known coding; what libavcodec says otherwise.
    init(
        _ stream: UnsafeMutablePointer<AVStream>, pictures: VideoFormat? = nil
    ) throws(FFmpegError) {
        let parameters: UnsafeMutablePointer<AVCodecParameters> = stream.pointee.codecpar
        guard let track = SubtitleTrack(stream), let timeline = FilmTimeline(stream) else {
            throw .unsupported("subtitles of this kind")
        }
        guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw .unsupported("no decoder for \(track.codec.rawValue) subtitles")
        }
        guard let context = avcodec_alloc_context3(decoder) else { throw .outOfMemory }
        var code = avcodec_parameters_to_context(context, parameters)
        if code >= 0 {
            context.pointee.pkt_timebase = stream.pointee.time_base
            context.pointee.thread_count = 1
            code = avcodec_open2(context, decoder, nil)
        }
        guard code >= 0 else {
            Self.free(context)
            throw FFmpegError(code: code, operation: "opening the decoder")
        }
        self.context = context
        self.timeline = timeline
        codec = track.codec
        style = track.codec.isText ? Self.style(of: context) : nil
        film = pictures.map {
            let aspect = $0.pixelAspectRatio
            let shape = Double(aspect.horizontalSpacing) / Double(aspect.verticalSpacing)
            return (Double($0.width) * shape, Double($0.height))
        }
    }

    deinit { Self.free(context) }

    /// What a packet says; nil for one that says nothing yet, and for a damaged one. What is damaged in it is left out.
    func decode(_ packet: UnsafeMutablePointer<AVPacket>) -> Decoded? {
        let size = Int(packet.pointee.size)
        guard (1...Self.maximumBytes).contains(size), let bytes = packet.pointee.data else { return nil }
        // Timed text tells by a mark of its own what it is.
        if codec.isText, codec != .timedText {
            let text = Array(UnsafeBufferPointer(start: bytes, count: size))
            if String(validating: text, as: UTF8.self) == nil {
                return decodeCopy(of: packet, Array(UnknownText.text(of: text).utf8))
            }
        }
        return decodeUTF8(packet)
    }

    private func decodeCopy(of packet: UnsafeMutablePointer<AVPacket>, _ data: [UInt8]) -> Decoded? {
        guard let copy = av_packet_alloc() else { return nil }
        defer {
            var owned: UnsafeMutablePointer<AVPacket>? = copy
            av_packet_free(&owned)
        }
        guard data.count <= Self.maximumBytes, av_new_packet(copy, Int32(data.count)) >= 0 else { return nil }
        UnsafeMutableRawBufferPointer(start: copy.pointee.data, count: data.count).copyBytes(from: data)
        copy.pointee.pts = packet.pointee.pts
        copy.pointee.dts = packet.pointee.dts
        copy.pointee.duration = packet.pointee.duration
        return decodeUTF8(copy)
    }

    private func decodeUTF8(_ packet: UnsafeMutablePointer<AVPacket>) -> Decoded? {
        var subtitle = AVSubtitle()
        var isWhole: Int32 = 0
        guard avcodec_decode_subtitle2(context, &subtitle, &isWhole, packet) >= 0, isWhole != 0 else { return nil }
        defer { avsubtitle_free(&subtitle) }
        var contents: [SubtitleCue.Content] = []
        for index in 0..<min(Int(subtitle.num_rects), Self.maximumContents) {
            if let content = subtitle.rects?[index].flatMap({ self.content($0) }) { contents.append(content) }
        }
        let delay = MediaTime(frame: Int64(subtitle.start_display_time), sampleRate: 1_000)
        return Decoded(contents: contents, delay: delay, length: length(of: packet, subtitle))
    }

    private func length(of packet: UnsafeMutablePointer<AVPacket>, _ subtitle: AVSubtitle) -> MediaTime? {
        let (start, end) = (subtitle.start_display_time, subtitle.end_display_time)
        let shown =
            end > start && end < UInt32(Int32.max)
            ? MediaTime(frame: Int64(end - start), sampleRate: 1_000) : nil
        let duration = packet.pointee.duration
        // The packet's is exact, but that of an image is that of its data in some containers.
        let exact = codec.isText && duration > 0 ? timeline.duration(duration) : nil
        return exact ?? shown
    }

    private func content(_ rectangle: UnsafeMutablePointer<AVSubtitleRect>) -> SubtitleCue.Content? {
        switch rectangle.pointee.type {
        case SUBTITLE_ASS: rectangle.pointee.ass.map { .text(String(cString: $0)) }
        case SUBTITLE_BITMAP: image(rectangle).map { .image($0) }
        default: nil
        }
    }

    private func image(_ rectangle: UnsafeMutablePointer<AVSubtitleRect>) -> SubtitleImage? {
        let (data, lines) = (rectangle.pointee.data, rectangle.pointee.linesize)
        let (width, height) = (Int(rectangle.pointee.w), Int(rectangle.pointee.h))
        guard let pixels = data.0, let colors = data.1, width > 0, height > 0, Int(lines.0) >= width,
            width <= SubtitleBitmap.maximumPixels / height
        else { return nil }
        var indices: [UInt8] = []
        indices.reserveCapacity(width * height)
        for row in 0..<height {
            indices.append(contentsOf: UnsafeBufferPointer(start: pixels + row * Int(lines.0), count: width))
        }
        // libavcodec gives all palettes the room for 256.
        let count = min(max(Int(rectangle.pointee.nb_colors), 0), 256)
        let palette = (0..<count).map {
            UnsafeRawPointer(colors).loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
        }
        let bitmap = SubtitleBitmap(
            canvas: canvas, origin: (Int(rectangle.pointee.x), Int(rectangle.pointee.y)), size: (width, height),
            indices: indices, palette: palette)
        // Discs with such have square pixels, and films that were taken from them have lost their black bars.
        guard codec == .pgs, let film else { return bitmap?.image(.stretched) }
        return bitmap?.image(.uncropped(width: film.width, height: film.height))
    }

    /// The coding's own, or that of standard definition.
    private var canvas: (width: Int, height: Int) {
        let (width, height) = (Int(context.pointee.width), Int(context.pointee.height))
        return width > 0 && height > 0 ? (width, height) : (720, 576)
    }

    private static func style(of context: UnsafeMutablePointer<AVCodecContext>) -> SubtitleStyle? {
        let size = Int(context.pointee.subtitle_header_size)
        guard size > 0, let bytes = context.pointee.subtitle_header else { return nil }
        let text = UnknownText.text(of: Array(UnsafeBufferPointer(start: bytes, count: size)).filter { $0 != 0 })
        return SubtitleStyle(header: text) ?? SubtitleStyle(header: withoutAttachments(text))
    }

    /// A script without the fonts and pictures that are written into some.
    private static func withoutAttachments(_ script: String) -> String {
        var isLeftOut = false
        let lines = script.split(whereSeparator: \.isNewline).filter { line in
            if line.hasPrefix("[") {
                let name = line.lowercased()
                isLeftOut = name.hasPrefix("[fonts]") || name.hasPrefix("[graphics]")
            }
            return !isLeftOut
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func free(_ context: UnsafeMutablePointer<AVCodecContext>) {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
    }
}
#endif
