/// Why somebody is not trusted, or why what trust rests on cannot be kept.
package enum TrustError: Error, Sendable, Equatable {
    /// A file of keys cannot be read, made or written; the reason is a line.
    case file(path: String, reason: String)
    /// A file of keys is not what it should be; `remedy` says what to do.
    case damaged(path: String, remedy: String)
    /// This sender cannot do that without the household's signing key.
    case noSigningKey
    /// A code, token or passphrase is wrong; the text says which and why.
    case refused(String)
    /// A cryptographic operation failed, which it only does on a broken machine; the text is the library's.
    case cryptography(String)
}

extension TrustError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(_, let reason): reason
        case .damaged(let path, let remedy): "\(path) is damaged; \(remedy)"
        case .noSigningKey:
            "this sender joined the household and cannot sign for it; do that on the sender that made the household"
        case .refused(let reason): reason
        case .cryptography(let reason): "cannot compute a key or a signature: \(reason)"
        }
    }
}
