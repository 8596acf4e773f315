import Crypto
import FoundationEssentials
import SwiftASN1
import TuttiHost

/// The key that a node (a speaker or a sender) is known by, for as long as it is installed: P-256.
package struct NodeKey: Sendable {
    let privateKey: P256.Signing.PrivateKey
    /// The node's id: the fingerprint of its public key.
    package let id: String

    /// A key that nobody had before.
    package init() { self.init(P256.Signing.PrivateKey()) }

    init(_ privateKey: P256.Signing.PrivateKey) {
        self.privateKey = privateKey
        id = Fingerprint.of(privateKey.publicKey)
    }

    /// The name of the key's file in a folder.
    static let fileName = "node-key.pem"

    /// The key that is kept in `folder`; made and written (mode 0600) if there is none.
    ///
    /// - Throws: `TrustError.file`, and `.damaged` for a file that is no key: it is never overwritten, for whoever
    ///   knows the node would no longer know it.
    package static func load(from folder: String) throws(TrustError) -> NodeKey {
        let path = folder + "/" + fileName
        do {
            try StatePaths.prepare(folder)
            let lock = FileLock(directory: folder, patience: 5)
            defer { withExtendedLifetime(lock) {} }
            if let key = try existing(in: folder) { return key }
            let key = NodeKey()
            try AtomicFile.write(Array(key.pem.utf8), to: path)
            return key
        } catch let error as TrustError {
            throw error
        } catch {
            throw .file(path: path, reason: String(describing: error))
        }
    }

    /// The key that is kept in `folder`; nil where there is none.
    ///
    /// - Throws: as `load`.
    package static func existing(in folder: String) throws(TrustError) -> NodeKey? {
        let path = folder + "/" + fileName
        do {
            guard let bytes = try AtomicFile.read(path) else { return nil }
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: bytes, as: UTF8.self))
            else {
                let remedy = "restore it from a backup, or remove it: the node is a new one to everybody then"
                throw TrustError.damaged(path: path, remedy: remedy)
            }
            return NodeKey(key)
        } catch let error as TrustError {
            throw error
        } catch {
            throw .file(path: path, reason: String(describing: error))
        }
    }

    var pem: String { privateKey.pemRepresentation }
}

/// How keys are named: the first 128 bits of SHA-256 over a public key (SubjectPublicKeyInfo, DER), in hexadecimal.
package enum Fingerprint {
    static func of(_ key: P256.Signing.PublicKey) -> String { of(derRepresentation: key.derRepresentation) }

    static func of(derRepresentation bytes: some DataProtocol) -> String {
        hexadecimal(SHA256.hash(data: bytes).prefix(16))
    }

    /// The SHA-256 of a certificate (DER), as `openssl x509 -fingerprint -sha256` shows it.
    package static func ofCertificate(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let pairs = SHA256.hash(data: bytes).map { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: Array(pairs.joined(separator: [UInt8(ascii: ":")])), as: UTF8.self)
    }

    /// Bytes as lower-case digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
