package import CFFmpeg
import Glibc
import TuttiCodecs

/// One libavcodec encoder of sound: interleaved floats in, packets out.
///
/// Not safe for use by several threads at once. The same samples give the same packets.
package final class FFmpegEncoder {
    /// What it encodes to.
    package enum Coding: Sendable, Hashable {
        /// FLAC of 16 or 24 bits.
        case flac(bitDepth: Int, isDithered: Bool)
        /// Opus, bits a second.
        case opus(bitRate: Int)
        /// AAC-LC, bits a second.
        case aac(bitRate: Int)

        fileprivate var name: String {
            switch self {
            case .flac: "flac"
            case .opus: "libopus"
            case .aac: "aac"
            }
        }

        fileprivate var sampleFormat: AVSampleFormat {
            switch self {
            case .flac(let bitDepth, _): bitDepth <= 16 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32
            case .opus: AV_SAMPLE_FMT_FLT
            case .aac: AV_SAMPLE_FMT_FLTP
            }
        }
    }

    /// Takes each packet, which is valid until it returns. Timestamps count frames.
    package typealias Taker = (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void

    /// Bits of FLAC's predictors for sound of 16 bits, as libFLAC has them for blocks of this length. FFmpeg's own 15 take
    /// sums of 64 bits, and half as long again, for files that are no smaller.
    private static let predictorBits = 13.0
    /// Frames of a packet where an encoder takes any number.
    private static let usualFrameCount = 4_096

    private let library: FFmpegLibrary
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let coding: Coding
    private let sampleRate, channelCount: Int
    /// Frames that a packet is made of.
    private let frameCount: Int
    private var quantiser: SampleQuantiser?
    private var integers: [Int32] = []
    /// Samples that wait for a whole packet's.
    private var waiting: [Float] = []
    private var sentFrames: Int64 = 0

    /// An encoder.
    ///
    /// - Throws: `.unsupported` where FFmpeg is missing or built without this encoder; what libavcodec says to the
    ///   settings otherwise.
    package init(_ coding: Coding, sampleRate: Int, channelCount: Int) throws(FFmpegError) {
        library = try .loaded()
        let ffmpeg = library.functions
        guard let codec = ffmpeg.avcodec_find_encoder_by_name(coding.name) else {
            throw .unsupported("FFmpeg was built without the encoder \(coding.name)")
        }
        guard let context = ffmpeg.avcodec_alloc_context3(codec) else { throw .outOfMemory }
        Self.set(context, coding, sampleRate: sampleRate, channelCount: channelCount, ffmpeg)
        let code = ffmpeg.avcodec_open2(context, codec, nil)
        let (frame, packet) = (ffmpeg.av_frame_alloc(), ffmpeg.av_packet_alloc())
        guard code >= 0, let frame, let packet else {
            var owned:
                (
                    UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?,
                    UnsafeMutablePointer<AVPacket>?
                ) = (context, frame, packet)
            ffmpeg.avcodec_free_context(&owned.0)
            ffmpeg.av_frame_free(&owned.1)
            ffmpeg.av_packet_free(&owned.2)
            throw code < 0 ? FFmpegError(code: code, operation: "opening the encoder") : .outOfMemory
        }
        (self.context, self.frame, self.packet) = (context, frame, packet)
        (self.coding, self.sampleRate, self.channelCount) = (coding, sampleRate, channelCount)
        frameCount = context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) : Self.usualFrameCount
        if case .flac(let bitDepth, let isDithered) = coding {
            quantiser = SampleQuantiser(bitDepth: bitDepth <= 16 ? 16 : 24, isDithering: isDithered)
            integers = [Int32](repeating: 0, count: frameCount * channelCount)
        }
        waiting.reserveCapacity(frameCount * channelCount)
    }

    private static func set(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ coding: Coding, sampleRate: Int, channelCount: Int,
        _ ffmpeg: tutti_codecs
    ) {
        context.pointee.sample_fmt = coding.sampleFormat
        context.pointee.sample_rate = Int32(clamping: sampleRate)
        context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: sampleRate))
        ffmpeg.av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: channelCount))
        context.pointee.thread_count = 1
        // No version in the stream, and the header where containers want it.
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        switch coding {
        case .flac(let bitDepth, _):
            context.pointee.bits_per_raw_sample = bitDepth <= 16 ? 16 : 24
            if bitDepth <= 16, let own = context.pointee.priv_data {
                // A version without this option has its own number.
                _ = ffmpeg.av_opt_set_double(own, "lpc_coeff_precision", predictorBits, 0)
            }
        case .opus(let bitRate), .aac(let bitRate): context.pointee.bit_rate = Int64(bitRate)
        }
    }

    deinit {
        var ownedPacket: UnsafeMutablePointer<AVPacket>? = packet
        library.functions.av_packet_free(&ownedPacket)
        var ownedFrame: UnsafeMutablePointer<AVFrame>? = frame
        library.functions.av_frame_free(&ownedFrame)
        var ownedContext: UnsafeMutablePointer<AVCodecContext>? = context
        library.functions.avcodec_free_context(&ownedContext)
    }

    /// Describes the stream to a container's writer.
    package func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(FFmpegError) {
        try FFmpegError.check(library.functions.avcodec_parameters_from_context(parameters, context), "encoding")
    }

    /// Encodes interleaved whole frames; gives the packets that are complete.
    package func encode(_ samples: UnsafeBufferPointer<Float>, to taker: Taker) throws(FFmpegError) {
        let size = frameCount * channelCount
        var position = 0
        while position < samples.count {
            let end = min(samples.count, position + size - waiting.count)
            let part = UnsafeBufferPointer(rebasing: samples[position..<end])
            position = end
            if waiting.isEmpty, part.count == size {
                try send(part, to: taker)
            } else {
                waiting.append(contentsOf: part)
                if waiting.count == size { try sendWaiting(to: taker) }
            }
        }
    }

    /// Encodes what is left; nothing can be encoded afterwards.
    package func finish(to taker: Taker) throws(FFmpegError) {
        if !waiting.isEmpty { try sendWaiting(to: taker) }
        try FFmpegError.check(library.functions.avcodec_send_frame(context, nil), "encoding")
        try receive(to: taker)
    }

    private func sendWaiting(to taker: Taker) throws(FFmpegError) {
        let samples = waiting
        waiting.removeAll(keepingCapacity: true)
        try samples.withUnsafeBufferPointer { (buffer) throws(FFmpegError) in try send(buffer, to: taker) }
    }

    private func send(_ samples: UnsafeBufferPointer<Float>, to taker: Taker) throws(FFmpegError) {
        let ffmpeg = library.functions
        frame.pointee.nb_samples = Int32(clamping: samples.count / channelCount)
        frame.pointee.format = coding.sampleFormat.rawValue
        frame.pointee.sample_rate = Int32(clamping: sampleRate)
        frame.pointee.pts = sentFrames
        ffmpeg.av_channel_layout_default(&frame.pointee.ch_layout, Int32(clamping: channelCount))
        defer { ffmpeg.av_frame_unref(frame) }
        try FFmpegError.check(ffmpeg.av_frame_get_buffer(frame, 0), "encoding")
        fill(samples)
        sentFrames += Int64(samples.count / channelCount)
        try FFmpegError.check(ffmpeg.avcodec_send_frame(context, frame), "encoding")
        try receive(to: taker)
    }

    /// Puts the samples where the frame's format has them.
    private func fill(_ samples: UnsafeBufferPointer<Float>) {
        guard let planes = frame.pointee.extended_data else { return }
        switch coding {
        case .opus:
            guard let first = planes[0], let start = samples.baseAddress else { return }
            UnsafeMutableRawPointer(first).copyMemory(from: start, byteCount: 4 * samples.count)
        case .aac:
            for channel in 0..<channelCount {
                guard let plane = planes[channel] else { return }
                plane.withMemoryRebound(to: Float.self, capacity: samples.count / channelCount) { plane in
                    for index in 0..<samples.count / channelCount {
                        plane[index] = samples[index * channelCount + channel]
                    }
                }
            }
        case .flac:
            quantiser?.quantise(samples, into: &integers)
            guard let first = planes[0] else { return }
            if coding.sampleFormat == AV_SAMPLE_FMT_S16 {
                first.withMemoryRebound(to: Int16.self, capacity: samples.count) { plane in
                    for index in 0..<samples.count { plane[index] = Int16(truncatingIfNeeded: integers[index]) }
                }
            } else {
                first.withMemoryRebound(to: Int32.self, capacity: samples.count) { plane in
                    for index in 0..<samples.count { plane[index] = integers[index] << 8 }
                }
            }
        }
    }

    private func receive(to taker: Taker) throws(FFmpegError) {
        let ffmpeg = library.functions
        while true {
            let code = ffmpeg.avcodec_receive_packet(context, packet)
            if code == tutti_averror(EAGAIN) || code == tutti_averror_eof() { return }
            try FFmpegError.check(code, "encoding")
            defer { ffmpeg.av_packet_unref(packet) }
            try taker(packet)
        }
    }
}
