/// Why a codec could not be made or could not do its work.
package enum CodecError: Error, Equatable, Sendable {
    /// No codec here does this; the text names what was asked.
    case unsupported(String)
    /// A format's fields, or its magic cookie, contradict each other or the codec.
    case invalidFormat(String)
    /// A packet that is not what its format and counts say; the next packet may be decoded.
    case corruptPacket(String)
    /// Samples that are not whole frames, or that come after the end.
    case invalidInput(String)
    /// The codec's library failed, with its own words.
    case library(String)
}

extension CodecError: CustomStringConvertible {
    /// What happened, in one line.
    package var description: String {
        switch self {
        case .unsupported(let what): "cannot encode or decode \(what)"
        case .invalidFormat(let what): "the audio format is not valid: \(what)"
        case .corruptPacket(let what): "the audio packet is damaged: \(what)"
        case .invalidInput(let what): "the samples cannot be encoded: \(what)"
        case .library(let what): "the codec library failed: \(what)"
        }
    }
}
