import NIOCore
import NIOSSL
import Synchronization
import TuttiTrust

/// Which certificates a connection accepts.
struct CertificateCheck: Sendable {
    /// What makes a certificate good.
    enum Rule: Sendable {
        /// Authorities that this host knows, for the host's name.
        case authorities
        /// This fingerprint, or this household's signature; senders that it has revoked are none of it.
        case known(fingerprint: String?, household: String?, revoked: [String])
    }

    /// Notes the certificate that was shown last.
    final class Witness: Sendable {
        private let state = Mutex<(fingerprint: String?, isGood: Bool)>((nil, true))

        /// Its fingerprint; nil before one has been shown.
        var shown: String? { state.withLock { $0.fingerprint } }
        /// Whether it was refused.
        var hasRefused: Bool { state.withLock { !$0.isGood } }

        fileprivate func note(_ fingerprint: String?, isGood: Bool) { state.withLock { $0 = (fingerprint, isGood) } }
    }

    let rule: Rule
    let witness = Witness()

    /// The handler of a connection.
    ///
    /// - Parameter serverName: the host's name; nil for a numeric address.
    func handler(serverName: String?) throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        guard case .known(let fingerprint, let household, let revoked) = rule else {
            return try NIOSSLClientHandler(
                context: NIOSSLContext(configuration: configuration), serverHostname: serverName)
        }
        // What is asked of the chain is asked below.
        configuration.certificateVerification = .noHostnameVerification
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: serverName
        ) { [witness] chain, promise in
            let bytes = chain.map { (try? $0.toDERBytes()) ?? [] }
            let shown = bytes.first.map { Fingerprint.ofCertificate($0) }
            var isGood = shown != nil && shown == fingerprint
            if !isGood, let household, let credential = Credential(chain: bytes) {
                isGood = credential.household == household && !revoked.contains(credential.nodeID)
            }
            witness.note(shown, isGood: isGood)
            promise.succeed(isGood ? .certificateVerified : .failed)
        }
    }
}
