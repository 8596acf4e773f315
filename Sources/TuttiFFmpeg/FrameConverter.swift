package import CFFmpeg

/// Decoded frames of any sample format, as interleaved floats of one rate and one number of channels.
///
/// Integers of up to 24 bits and floats pass bit for bit wherever neither mixing nor resampling is needed. The first
/// frame fixes the output's rate; a stream that changes its rate later is resampled to it, one that changes its
/// channels is mixed.
package final class FrameConverter {
    /// What comes out.
    package enum Output: Sendable {
        /// The channels of the first frame.
        case sourceChannels
        /// Two channels: a mono source in both at full level, more than two mixed so that the sum cannot clip.
        case stereo
    }

    private let output: Output
    /// There once the output has a shape.
    private var library: FFmpegLibrary?
    private var outputLayout = AVChannelLayout()
    private var converter: OpaquePointer?
    private var shape: FrameShape?
    /// Frames a second that come out; 0 before the first frame.
    package private(set) var sampleRate = 0
    /// Channels that come out; 0 before the first frame.
    package private(set) var channelCount = 0

    /// A converter that takes its output's shape from the first frame.
    package init(output: Output) { self.output = output }

    deinit {
        free()
        library?.functions.av_channel_layout_uninit(&outputLayout)
    }

    /// The samples of a frame; fewer or more than it has when resampling.
    ///
    /// - Throws: `.invalidData` for a frame without a sensible shape, and what libswresample says.
    package func convert(_ frame: UnsafePointer<AVFrame>) throws(FFmpegError) -> [Float] {
        guard let arriving = FrameShape(frame) else { throw .invalidData }
        if arriving == shape, converter != nil { return try samples(of: frame) }
        var result = try drain()
        try adapt(to: arriving)
        if result.isEmpty { return try samples(of: frame) }
        result += try samples(of: frame)
        return result
    }

    /// What a resampler still holds: at the end of the stream.
    package func drain() throws(FFmpegError) -> [Float] {
        guard converter != nil, let shape, shape.sampleRate != sampleRate else { return [] }
        return try samples(of: nil)
    }

    /// Forgets what a resampler holds: after seeking.
    package func reset() {
        free()
        shape = nil
    }

    private func free() { library?.functions.swr_free(&converter) }

    private func samples(of frame: UnsafePointer<AVFrame>?) throws(FFmpegError) -> [Float] {
        guard let library, let converter, let shape else { return [] }
        let incoming = frame?.pointee.nb_samples ?? 0
        let capacity =
            shape.sampleRate == sampleRate ? incoming : library.functions.swr_get_out_samples(converter, incoming)
        guard capacity > 0 else { return [] }
        let channels = channelCount
        var code: Int32 = 0
        var functions = library.functions
        let samples = [Float](unsafeUninitializedCapacity: Int(capacity) * channels) { buffer, count in
            code = tutti_convert_frame(&functions, converter, buffer.baseAddress, capacity, frame)
            count = Int(max(code, 0)) * channels
        }
        try FFmpegError.check(code, "converting samples")
        return samples
    }

    private func adapt(to arriving: FrameShape) throws(FFmpegError) {
        let library = try FFmpegLibrary.loaded()
        self.library = library
        if sampleRate == 0 {
            sampleRate = arriving.sampleRate
            channelCount = output == .stereo ? 2 : arriving.channelCount
            library.functions.av_channel_layout_default(&outputLayout, Int32(channelCount))
        }
        free()
        shape = nil
        var lastCode: Int32 = 0
        for mix in arriving.mixes(toChannels: channelCount) {
            lastCode = build(for: arriving, mix: mix, library.functions)
            if lastCode >= 0 {
                shape = arriving
                return
            }
            free()
        }
        throw FFmpegError(code: lastCode, operation: "mixing \(arriving.channelCount) channels")
    }

    private func build(for arriving: FrameShape, mix: FrameShape.Mix, _ ffmpeg: tutti_codecs) -> Int32 {
        var inputLayout = AVChannelLayout()
        defer { ffmpeg.av_channel_layout_uninit(&inputLayout) }
        if case .positions(let mask) = mix {
            guard ffmpeg.av_channel_layout_from_mask(&inputLayout, mask) >= 0 else {
                return tutti_averror_invalid_data()
            }
        } else {
            ffmpeg.av_channel_layout_default(&inputLayout, Int32(arriving.channelCount))
        }
        var code = ffmpeg.swr_alloc_set_opts2(
            &converter, &outputLayout, AV_SAMPLE_FMT_FLT, Int32(sampleRate), &inputLayout, arriving.sampleFormat,
            Int32(arriving.sampleRate), 0, nil)
        guard code >= 0, let converter else { return min(code, tutti_averror_invalid_data()) }
        // Coefficients are scaled down until their sum is 1 for each output, so full scale everywhere does not clip.
        code = ffmpeg.av_opt_set_double(UnsafeMutableRawPointer(converter), "rematrix_maxval", 1, 0)
        if code >= 0, case .coefficients(let matrix) = mix {
            code = matrix.withUnsafeBufferPointer {
                ffmpeg.swr_set_matrix(converter, $0.baseAddress, Int32(arriving.channelCount))
            }
        }
        return code < 0 ? code : ffmpeg.swr_init(converter)
    }
}
