/// Why one of FFmpeg's libraries could not do as asked.
package enum FFmpegError: Error, Equatable, Sendable {
    /// There is nothing more.
    case endOfStream
    /// The data are not what their format says.
    case invalidData
    /// The file name, address or host does not exist.
    case notFound
    /// The system or the server forbids it.
    case notPermitted
    /// A server answered with this HTTP status (400, 401, 403, 404, or 4, 5 for the others of a class).
    case http(status: Int)
    /// The other side did not answer in time.
    case timedOut
    /// The caller's interrupt callback stopped it.
    case interrupted
    /// No decoder, demuxer or protocol of this build does it.
    case unsupported(String)
    /// Memory ran out.
    case outOfMemory
    /// Anything else: what was tried and the library's own words.
    case failed(operation: String, code: Int32, reason: String)
}

extension FFmpegError: CustomStringConvertible {
    /// One line that says what happened.
    package var description: String {
        switch self {
        case .endOfStream: "the data ends here"
        case .invalidData: "the data is damaged or does not match its format"
        case .notFound: "it does not exist"
        case .notPermitted: "access denied"
        case .http(let status):
            status < 10 ? "the server answered HTTP \(status)xx" : "the server answered HTTP \(status)"
        case .timedOut: "no answer in time"
        case .interrupted: "interrupted"
        case .unsupported(let what): "not supported: \(what)"
        case .outOfMemory: "out of memory"
        case .failed(let operation, _, let reason): "\(operation): \(reason)"
        }
    }
}
