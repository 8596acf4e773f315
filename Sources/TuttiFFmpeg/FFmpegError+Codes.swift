import CFFmpeg
import Glibc

extension FFmpegError {
    /// The one place where FFmpeg's return codes become errors.
    ///
    /// - Parameters:
    ///   - code: what a function of FFmpeg's returned; negative for a failure.
    ///   - operation: what was tried, in words for a person.
    package init(code: Int32, operation: String) {
        switch code {
        case tutti_averror_eof(): self = .endOfStream
        case tutti_averror_invalid_data(): self = .invalidData
        case tutti_averror_exit(): self = .interrupted
        case tutti_averror(ENOENT), tutti_averror(ENXIO): self = .notFound
        case tutti_averror(EACCES), tutti_averror(EPERM): self = .notPermitted
        case tutti_averror(ETIMEDOUT): self = .timedOut
        case tutti_averror(ENOMEM): self = .outOfMemory
        case tutti_averror_http_bad_request(): self = .http(status: 400)
        case tutti_averror_http_unauthorized(): self = .http(status: 401)
        case tutti_averror_http_forbidden(): self = .http(status: 403)
        case tutti_averror_http_not_found(): self = .http(status: 404)
        case tutti_averror_http_other_4xx(): self = .http(status: 4)
        case tutti_averror_http_server_error(): self = .http(status: 5)
        case tutti_averror_decoder_not_found(): self = .unsupported("no decoder for this codec")
        case tutti_averror_demuxer_not_found(): self = .unsupported("no reader for this file format")
        case tutti_averror_protocol_not_found(): self = .unsupported("no such protocol")
        case tutti_averror_patchwelcome(): self = .unsupported("a variant that FFmpeg does not decode")
        default: self = .failed(operation: operation, code: code, reason: Self.text(of: code))
        }
    }

    /// Passes a count or zero through and throws for the negative codes.
    @discardableResult
    package static func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(FFmpegError) -> Int32 {
        guard code < 0 else { return code }
        throw FFmpegError(code: code, operation: operation())
    }

    private static func text(of code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, let ffmpeg = try? FFmpegLibrary.loaded().functions,
                ffmpeg.av_strerror(code, base, buffer.count) == 0
            else {
                return "error \(code)"
            }
            return String(cString: base)
        }
    }
}
