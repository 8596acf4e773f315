import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// X.509 as this protocol uses it: names and dates decide nothing, keys and signatures do.
///
/// A house has hosts without a battery behind their clock, so no date in a certificate means anything here: all are
/// valid from 2000 to 9999. What ends trust is a revocation, and what ends it for all is another household.
enum Certificates {
    /// Bytes of one certificate, and certificates of a chain, that are looked at.
    static let (maximumBytes, maximumCount) = (4_096, 3)

    private static let (begin, end) = (
        Date(timeIntervalSince1970: 946_684_800), Date(timeIntervalSince1970: 253_402_300_799)
    )

    /// A certificate for `key` with the name `name`, signed by `issuer` under the name `issuerName`.
    static func make(
        for key: P256.Signing.PublicKey, name: String, signedBy issuer: P256.Signing.PrivateKey, issuerName: String,
        isAuthority: Bool = false
    ) throws(TrustError) -> Certificate {
        do {
            let extensions = try Certificate.Extensions {
                if isAuthority {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                } else {
                    Critical(BasicConstraints.notCertificateAuthority)
                }
            }
            return try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key),
                notValidBefore: begin, notValidAfter: end,
                issuer: DistinguishedName { CommonName(issuerName) }, subject: DistinguishedName { CommonName(name) },
                signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
                issuerPrivateKey: Certificate.PrivateKey(issuer))
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// A certificate that a key signs for itself.
    static func makeSelfSigned(
        by key: P256.Signing.PrivateKey, name: String, isAuthority: Bool = false
    ) throws(TrustError) -> Certificate {
        try make(for: key.publicKey, name: name, signedBy: key, issuerName: name, isAuthority: isAuthority)
    }

    /// The certificate's bytes (DER).
    static func encode(_ certificate: Certificate) throws(TrustError) -> [UInt8] {
        do {
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// A certificate from its bytes; nil for anything that is none, or is too long to be one of ours.
    static func decode(_ bytes: [UInt8]) -> Certificate? {
        guard bytes.count <= maximumBytes else { return nil }
        return try? Certificate(derEncoded: bytes)
    }

    /// The P-256 key of a certificate; nil for one of another kind.
    static func key(of certificate: Certificate) -> P256.Signing.PublicKey? {
        P256.Signing.PublicKey(certificate.publicKey)
    }

    /// Whether the holder of `key` has signed this certificate.
    static func isSigned(_ certificate: Certificate, by key: P256.Signing.PublicKey) -> Bool {
        Certificate.PublicKey(key).isValidSignature(certificate.signature, for: certificate)
    }
}

/// What a node at the other end of a TLS connection has shown that it is. That it holds the key was proven by the
/// handshake.
package struct Credential: Sendable, Equatable {
    /// The fingerprint of its key.
    package var nodeID: String
    /// The fingerprint of the household's key that has signed its certificate; nil for a node that has no household.
    package var household: String?
    /// That key (SubjectPublicKeyInfo, DER).
    package var householdKey: [UInt8]?

    /// What a chain of certificates says, the node's own first; nil for a chain that means nothing.
    ///
    /// - Parameter chain: the certificates' bytes (DER), as the peer has sent them: nothing of them is trusted.
    package init?(chain: [[UInt8]]) {
        guard (1...Certificates.maximumCount).contains(chain.count),
            let leaf = Certificates.decode(chain[0]), let key = Certificates.key(of: leaf)
        else { return nil }
        nodeID = Fingerprint.of(key)
        guard chain.count > 1 else { return }
        guard let root = Certificates.decode(chain[1]), let rootKey = Certificates.key(of: root),
            Certificates.isSigned(leaf, by: rootKey)
        else { return nil }
        household = Fingerprint.of(rootKey)
        householdKey = Array(rootKey.derRepresentation)
    }

    package init(nodeID: String, household: String?, householdKey: [UInt8]? = nil) {
        self.nodeID = nodeID
        self.household = household
        self.householdKey = householdKey
    }
}
