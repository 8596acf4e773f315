import Crypto
import NIOCore
package import NIOSSL
import NIOTLS

/// TLS 1.3 with both ends named by their keys.
package enum TLS {
    /// The application protocol.
    static let applicationProtocol = "tutti/2"

    /// What a server speaks.
    ///
    /// - Throws: `TrustError.cryptography`.
    package static func server(_ node: NodeKey) throws(TrustError) -> NIOSSLContext {
        let certificate = try Certificates.encode(
            Certificates.makeSelfSigned(by: node.privateKey, name: "Tutti speaker"))
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [.certificate(try NIOSSLCertificate(bytes: certificate, format: .der))],
                privateKey: .privateKey(try key(node)))
            restrict(&configuration)
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// What a client speaks that has no household.
    ///
    /// - Throws: `TrustError.cryptography`.
    package static func client(_ node: NodeKey) throws(TrustError) -> NIOSSLContext {
        try client(
            node, chain: [Certificates.encode(Certificates.makeSelfSigned(by: node.privateKey, name: "Tutti speaker"))])
    }

    /// What a client speaks.
    ///
    /// - Parameter chain: its certificates (DER).
    /// - Throws: `TrustError.cryptography`.
    package static func client(_ node: NodeKey, chain: [[UInt8]]) throws(TrustError) -> NIOSSLContext {
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateChain = try chain.map {
                .certificate(try NIOSSLCertificate(bytes: $0, format: .der))
            }
            configuration.privateKey = .privateKey(try key(node))
            restrict(&configuration)
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// What a web server speaks with the certificate of this host's sender.
    ///
    /// - Parameter stateDirectory: where the sender keeps what makes it one of its household.
    /// - Throws: `TrustError.refused` for a sender without a household, `.file`, `.damaged`, `.cryptography`.
    package static func webServer(stateDirectory: String) throws(TrustError) -> TLSConfiguration {
        guard let membership = try MembershipFolder(stateDirectory: stateDirectory).existing() else {
            throw .refused("this host has no certificate yet; `tutti household create` makes one")
        }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try membership.chain.map {
                    .certificate(try NIOSSLCertificate(bytes: $0, format: .der))
                }, privateKey: .privateKey(try key(membership.node)))
            configuration.minimumTLSVersion = .tlsv13
            return configuration
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    private static func key(_ node: NodeKey) throws -> NIOSSLPrivateKey {
        try NIOSSLPrivateKey(bytes: Array(node.privateKey.derRepresentation), format: .der)
    }

    /// One version, one curve of signatures; certificates of both sides, which `verification` looks at.
    private static func restrict(_ configuration: inout TLSConfiguration) {
        configuration.minimumTLSVersion = .tlsv13
        configuration.maximumTLSVersion = .tlsv13
        configuration.applicationProtocols = [applicationProtocol]
        // Nobody's authorities count, and a host need not have any.
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .noHostnameVerification
        configuration.verifySignatureAlgorithms = [.ecdsaSecp256R1Sha256]
        configuration.signingSignatureAlgorithms = [.ecdsaSecp256R1Sha256]
        configuration.renegotiationSupport = .none
        configuration.curves = [.x25519, .secp256r1]
        configuration.shutdownTimeout = .milliseconds(200)
    }

    /// The handler of a connection that was accepted; `peer` holds who is at the other end once the handshake is done.
    package static func serverHandler(_ context: NIOSSLContext, peer: PeerCredential) -> NIOSSLServerHandler {
        NIOSSLServerHandler(
            context: context,
            customVerificationCallback: { chain, promise in verify(chain, peer, promise) })
    }

    /// The handler of a connection that was made.
    ///
    /// - Throws: `TrustError.cryptography` when there is no memory for it.
    package static func clientHandler(
        _ context: NIOSSLContext, peer: PeerCredential
    ) throws(TrustError) -> NIOSSLClientHandler {
        do {
            return try NIOSSLClientHandler(
                context: context, serverHostname: nil,
                customVerificationCallback: { chain, promise in verify(chain, peer, promise) })
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// Takes down who the peer is; whether it may do what it asks for is decided where that is known. A chain that says
    /// nothing, or whose signature is wrong, ends the handshake.
    private static func verify(
        _ chain: [NIOSSLCertificate], _ peer: PeerCredential, _ promise: EventLoopPromise<NIOSSLVerificationResult>
    ) {
        guard let credential = credential(of: chain) else { return promise.succeed(.failed) }
        peer.credential = credential
        promise.succeed(.certificateVerified)
    }

    /// Who shows these certificates. That of a speaker names its key and nothing else, so nothing else is read of it.
    private static func credential(of chain: [NIOSSLCertificate]) -> Credential? {
        guard chain.count <= Certificates.maximumCount, let first = chain.first else { return nil }
        if chain.count == 1 {
            guard let key = try? first.extractPublicKey().toSPKIBytes() else { return nil }
            return Credential(nodeID: Fingerprint.of(derRepresentation: key), household: nil)
        }
        return Credential(chain: chain.map { (try? $0.toDERBytes()) ?? [] })
    }
}

/// Who is at the other end of one connection, from the handshake on. Confined to the connection's event loop.
package final class PeerCredential {
    package fileprivate(set) var credential: Credential?

    package init() {}
}
