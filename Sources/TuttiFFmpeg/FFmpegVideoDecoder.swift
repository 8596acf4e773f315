import CFFmpeg
package import TuttiCodecs
package import TuttiCore

/// Pictures through libavcodec, in software.
package final class FFmpegVideoDecoder: VideoDecoder {
    /// Threads that decode where the coding allows it; each holds one picture back.
    package static let threads = 1...16
    /// Pictures that a decoder may hold back, and more.
    private static let maximumPending = 256

    private let format: VideoFormat
    private let library: FFmpegLibrary
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    /// Times of the pictures that were handed over, by the number that libavcodec takes for their time.
    private var times: [Int64: (start: MediaTime, duration: MediaTime?)] = [:]
    private var number: Int64 = 0
    /// The time behind the picture that was given out last, and that one's duration; nil while it is not known.
    private var following: (start: MediaTime, duration: MediaTime?)?
    /// No sync picture has been handed over since decoding began anew, or no whole one has been given out.
    private var (needsSync, isFresh) = (true, true)

    /// A decoder for pictures of `format`, whose fields and magic cookie may come from anywhere.
    ///
    /// - Parameter threads: how many decode at once, within `threads`.
    /// - Throws: `.unsupported` without FFmpeg, or a decoder for the coding; `.invalidFormat` for a magic cookie that the
    ///   decoder refuses.
    package init(format: VideoFormat, threads: Int = 2) throws(CodecError) {
        self.format = format
        do throws(FFmpegError) {
            library = try .loaded()
            context = try Self.open(format, threads: threads, library)
        } catch {
            if case .unsupported(let what) = error { throw .unsupported(what) }
            throw .invalidFormat(error.description)
        }
        do throws(FFmpegError) {
            packet = try library.makePacket()
        } catch {
            library.free(context)
            throw .library(error.description)
        }
    }

    deinit {
        library.free(packet)
        library.free(context)
    }

    /// What the libraries of this host decode; nothing where they are missing.
    package static let decodable: [VideoFormat.Codec] = {
        guard let library = try? FFmpegLibrary.loaded() else { return [] }
        return VideoFormat.Codec.allCases.filter { library.functions.avcodec_find_decoder($0.ffmpegID) != nil }
    }()

    private static func open(
        _ format: VideoFormat, threads: Int, _ library: FFmpegLibrary
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let codec = library.functions.avcodec_find_decoder(format.codec.ffmpegID) else {
            throw .unsupported("\(format.codec.rawValue) pictures")
        }
        return try library.withParameters { parameters throws(FFmpegError) in
            try parameters.describe(format, library.functions)
            return try library.openDecoder(codec, parameters: parameters) { context in
                context.pointee.thread_count = Int32(
                    min(max(threads, Self.threads.lowerBound), Self.threads.upperBound))
                context.pointee.max_pixels = Int64(VideoFormat.Limits.pixels.upperBound)
            }
        }
    }

    package var skipsUnreferenced = false {
        didSet { context.pointee.skip_frame = skipsUnreferenced ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
    }

    package func decode(_ buffer: VideoSampleBuffer) throws(CodecError) -> [VideoFrame] {
        guard buffer.format == format else { throw .invalidFormat("the picture has another format") }
        // Not every decoder of libavcodec's tells pictures apart that lack what they refer to.
        if needsSync, !buffer.isSync { return [] }
        needsSync = false
        do throws(FFmpegError) {
            try send(buffer)
            return try receive()
        } catch {
            if case .unsupported(let what) = error { throw .unsupported(what) }
            throw .corruptPacket(error.description)
        }
    }

    package func finish() -> [VideoFrame] {
        _ = library.functions.avcodec_send_packet(context, nil)
        defer { reset() }
        return (try? receive()) ?? []
    }

    package func reset() {
        library.functions.avcodec_flush_buffers(context)
        (times, following) = ([:], nil)
        (needsSync, isFresh) = (true, true)
    }

    private func send(_ buffer: VideoSampleBuffer) throws(FFmpegError) {
        try library.fill(packet, with: buffer.data)
        defer { library.functions.av_packet_unref(packet) }
        number &+= 1
        (packet.pointee.pts, packet.pointee.dts) = (number, number)
        if buffer.isSync { packet.pointee.flags |= AV_PKT_FLAG_KEY }
        times[number] = (buffer.presentationTime, buffer.duration)
        if times.count > Self.maximumPending { times[number - Int64(Self.maximumPending)] = nil }
        try FFmpegError.check(library.functions.avcodec_send_packet(context, packet), "decoding")
    }

    /// All pictures that are ready, in the order of their times.
    private func receive() throws(FFmpegError) -> [VideoFrame] {
        var frames: [VideoFrame] = []
        while true {
            guard let frame = library.functions.av_frame_alloc() else { throw .outOfMemory }
            let owner = FrameOwner(frame, library)
            let code = library.functions.avcodec_receive_frame(context, frame)
            if code == tutti_averror(EAGAIN) || code == tutti_averror_eof() { return frames }
            guard code >= 0 else {
                // What was decoded before is good.
                if frames.isEmpty { throw FFmpegError(code: code, operation: "decoding") }
                return frames
            }
            // It refers to one before the place where decoding began.
            if isFresh, frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 { continue }
            isFresh = false
            // The second of two in one packet has the place behind the first.
            guard let time = times.removeValue(forKey: frame.pointee.pts) ?? following else { continue }
            following = time.duration.map { (time.start + $0, $0) }
            frames.append(try VideoFrame(owner, start: time.start, duration: time.duration, format))
        }
    }
}

/// A frame of libavcodec's, freed with the last reference.
final class FrameOwner: @unchecked Sendable {
    // Guard: nobody writes to a frame that has been received.
    let frame: UnsafeMutablePointer<AVFrame>
    private let library: FFmpegLibrary

    init(_ frame: UnsafeMutablePointer<AVFrame>, _ library: FFmpegLibrary) {
        (self.frame, self.library) = (frame, library)
    }

    /// What libavutil calls the way its pixels lie.
    var pixelFormatName: String {
        library.functions.av_get_pix_fmt_name(AVPixelFormat(frame.pointee.format)).map { String(cString: $0) }
            ?? "\(frame.pointee.format)"
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        library.functions.av_frame_free(&owned)
    }
}
