#if FFmpeg
import CFFmpeg
import CFFmpegFormat
import Glibc
import TuttiCore
import TuttiFFmpeg

/// One of libavformat's writers of containers, with one stream of sound. The same packets give the same bytes.
final class Muxer {
    private let file: PendingFile
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let io: UnsafeMutablePointer<AVIOContext>
    private let stream: UnsafeMutablePointer<AVStream>
    private let sampleRate: Int32
    /// Where the next bytes go.
    private var position: Int64 = 0

    private static let bufferSize: Int32 = 1 << 16

    /// Begins a container.
    ///
    /// - Parameters:
    ///   - format: libavformat's name of it.
    ///   - encoder: where the packets come from.
    init(
        _ file: PendingFile, format: String, encoder: FFmpegEncoder, _ settings: AudioFileSettings
    ) throws(FFmpegError) {
        var made: UnsafeMutablePointer<AVFormatContext>?
        try FFmpegError.check(avformat_alloc_output_context2(&made, nil, format, nil), "preparing the file")
        guard let made else { throw .outOfMemory }
        guard let memory = av_malloc(Int(Self.bufferSize)),
            let io = avio_alloc_context(
                memory.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 1, nil, nil,
                { opaque, bytes, count in
                    guard let opaque, let bytes, count >= 0 else { return tutti_averror(EINVAL) }
                    let taken = UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes), count: Int(count))
                    return Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue().take(taken)
                },
                { opaque, offset, whence in
                    guard let opaque else { return Int64(tutti_averror(EINVAL)) }
                    return Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue().move(offset, whence)
                })
        else {
            avformat_free_context(made)
            throw .outOfMemory
        }
        guard let stream = avformat_new_stream(made, nil) else {
            DescriptorInput.free(io)
            avformat_free_context(made)
            throw .outOfMemory
        }
        (self.file, context, self.io, self.stream) = (file, made, io, stream)
        sampleRate = Int32(clamping: settings.sampleRate)
        io.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        made.pointee.pb = io
        // Neither a version nor numbers drawn at random.
        made.pointee.flags |= AVFMT_FLAG_BITEXACT
        stream.pointee.time_base = AVRational(num: 1, den: sampleRate)
        try encoder.describe(stream.pointee.codecpar)
        set(settings.tags)
        try writeHeader()
    }

    deinit {
        DescriptorInput.free(io)
        avformat_free_context(context)
    }

    private func set(_ tags: AudioFileSettings.Tags) {
        let fields = [
            ("title", tags.title), ("artist", tags.artist), ("album", tags.album),
            ("track", tags.track.map(String.init)),
        ]
        for (name, text) in fields {
            guard let text, !text.isEmpty else { continue }
            av_dict_set(&context.pointee.metadata, name, text, 0)
        }
    }

    private func writeHeader() throws(FFmpegError) {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // Edit lists of MPEG-4, which cut the encoder's padding off, count in the movie's units: let those be frames.
        av_dict_set(&options, "movie_timescale", "\(sampleRate)", 0)
        try FFmpegError.check(avformat_write_header(context, &options), "writing the header")
    }

    /// Writes a packet whose timestamps count frames.
    func write(_ packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
        packet.pointee.stream_index = 0
        av_packet_rescale_ts(packet, AVRational(num: 1, den: sampleRate), stream.pointee.time_base)
        try FFmpegError.check(av_write_frame(context, packet), "writing")
    }

    /// Writes what stands at the end, and corrects the header.
    func finish() throws(FFmpegError) {
        try FFmpegError.check(av_write_trailer(context), "completing the file")
        avio_flush(io)
        try FFmpegError.check(io.pointee.error, "completing the file")
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard file.write(bytes, at: position) else { return tutti_averror(file.failure == 0 ? EIO : file.failure) }
        position += Int64(bytes.count)
        return Int32(clamping: bytes.count)
    }

    private func move(_ offset: Int64, _ whence: Int32) -> Int64 {
        let origin: Int64
        switch whence & ~AVSEEK_FORCE {
        case SEEK_SET: origin = 0
        case SEEK_CUR: origin = position
        case SEEK_END: origin = file.size
        case AVSEEK_SIZE: return file.size
        default: return Int64(tutti_averror(EINVAL))
        }
        let (target, overflow) = origin.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return Int64(tutti_averror(EINVAL)) }
        position = target
        return target
    }
}
#endif
