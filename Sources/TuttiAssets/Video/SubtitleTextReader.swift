#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import Glibc
import TuttiCore
import TuttiFFmpeg

/// libavformat's readers of text subtitles, given bytes. It opens nothing.
final class SubtitleTextReader {
    private let bytes: [UInt8]
    private var place = 0
    private var io: UnsafeMutablePointer<AVIOContext>?
    private var context: UnsafeMutablePointer<AVFormatContext>?

    private static let bufferSize: Int32 = 65_536

    /// A reader for a text in UTF-8.
    init(_ bytes: [UInt8], _ codec: SubtitleTrack.Codec) throws(FFmpegError) {
        self.bytes = bytes
        let name = codec == .subRip ? "srt" : codec.rawValue
        guard let format = av_find_input_format(name) else { throw .unsupported("no reader for \(name)") }
        io = try makeInput()
        context = avformat_alloc_context()
        guard let fresh = context else { throw .outOfMemory }
        tutti_refuse_nested_opens(fresh)
        fresh.pointee.pb = io
        // Frees the context when it fails.
        try FFmpegError.check(avformat_open_input(&context, "", format, nil), "reading")
    }

    deinit {
        avformat_close_input(&context)
        if let io { DescriptorInput.free(io) }
    }

    /// All that is shown, and what the texts refer to. What is damaged is left out.
    func readAll(
        atMost count: Int, _ interrupter: Interrupter
    ) throws(FFmpegError) -> (SubtitleStyle?, [PlacedSubtitle]) {
        guard let context, context.pointee.nb_streams > 0, let stream = context.pointee.streams?[0],
            let timeline = FilmTimeline(stream)
        else { throw .invalidData }
        let decoder = try SubtitleDecoder(stream)
        guard let packet = av_packet_alloc() else { throw .outOfMemory }
        defer {
            var owned: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&owned)
        }
        var cues: [PlacedSubtitle] = []
        while cues.count < count, av_read_frame(context, packet) >= 0 {
            defer { av_packet_unref(packet) }
            if interrupter.wasInterrupted { throw .interrupted }
            guard let decoded = decoder.decode(packet), let time = timeline.time(packet.pointee.pts) else { continue }
            let start = time + decoded.delay
            let end = start + (decoded.length ?? SubtitleReader.usualDuration)
            for content in decoded.contents.prefix(count - cues.count) {
                cues.append(PlacedSubtitle(start: start, end: end, content: content))
            }
        }
        return (decoder.style, cues)
    }

    private func makeInput() throws(FFmpegError) -> UnsafeMutablePointer<AVIOContext> {
        guard let memory = av_malloc(Int(Self.bufferSize)) else { throw .outOfMemory }
        let context = avio_alloc_context(
            memory.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, Unmanaged.passUnretained(self).toOpaque(),
            { opaque, buffer, size in
                guard let opaque, let buffer else { return tutti_averror(EINVAL) }
                return Unmanaged<SubtitleTextReader>.fromOpaque(opaque).takeUnretainedValue().read(
                    into: UnsafeMutableRawPointer(buffer), size: Int(size))
            }, nil, nil)
        guard let context else {
            av_free(memory)
            throw .outOfMemory
        }
        return context
    }

    private func read(into buffer: UnsafeMutableRawPointer, size: Int) -> Int32 {
        let count = min(size, bytes.count - place)
        guard count > 0 else { return tutti_averror_eof() }
        bytes.withUnsafeBytes { all in
            UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: all[place..<place + count])
        }
        place += count
        return Int32(count)
    }
}
#endif
