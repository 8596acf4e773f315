/// Why a sound file cannot be written (any further).
public enum AudioFileError: Error, Sendable, Equatable {
    /// There is no such file, as the text says.
    case unsupported(String)
    /// A file of this name exists, and is not to be replaced.
    case exists(String)
    /// The system does not let the file be written, and says why.
    case unwritable(String, reason: String)
    /// The encoder or the container's writer fails.
    case encoder(String, reason: String)
    /// Frames of another rate or another number of channels than the file's.
    case otherFormat(sampleRate: Int, channelCount: Int)
    /// The file has been closed or discarded.
    case closed(String)
}

extension AudioFileError: CustomStringConvertible {
    /// One line that says what happened, and what to do.
    public var description: String {
        switch self {
        case .unsupported(let reason): reason
        case .exists(let path): "\(path) exists already; choose another name, or replace it with --force"
        case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
        case .encoder(let path, let reason): "cannot write \(path): \(reason)"
        case .otherFormat(let rate, let channels):
            "frames of \(channels) channels at \(rate) Hz do not fit in this file; convert them first"
        case .closed(let path): "\(path) is closed; nothing can be written to it any more"
        }
    }
}
