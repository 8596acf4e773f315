import Crypto
import CryptoExtras
import FoundationEssentials

/// A household in a file that only a passphrase opens: its signing key, the keys of its time, who was revoked and who
/// belongs to it. The key of the file is made from the passphrase by scrypt (RFC 7914), and the file is sealed by
/// AES-256-GCM.
struct HouseholdArchive: Codable {
    private var format = "tutti household 1"
    private var salt: [UInt8]
    private var rounds: Int
    private var blockSize: Int
    private var sealed: [UInt8]

    /// What is inside.
    struct Inside: Codable {
        var householdKey: String
        var content: Membership.Content

        init(householdKey: String, content: Membership.Content) {
            (self.householdKey, self.content) = (householdKey, content)
        }

        /// - Throws: `TrustError.refused` for bytes that are no household.
        init(parsing bytes: [UInt8]) throws(TrustError) {
            guard let inside = try? JSONDecoder().decode(Inside.self, from: Data(bytes)) else {
                throw .refused("the file holds no household")
            }
            self = inside
        }

        /// - Throws: `TrustError.refused` for a text that is no key, and for a list that this key has not signed.
        func signingKey() throws(TrustError) -> P256.Signing.PrivateKey {
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: householdKey),
                content.revocations.isSigned(by: Array(key.publicKey.derRepresentation))
            else { throw .refused("the file holds no key, or another one than that of its household") }
            return key
        }
    }

    /// The least of a passphrase, in bytes.
    static let shortest = 8
    /// scrypt's N and r: some 100 ms and 32 MiB.
    private static let (usualRounds, usualBlockSize) = (32_768, 8)

    init(_ inside: Inside, passphrase: String) throws(TrustError) {
        salt = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
        (rounds, blockSize) = (Self.usualRounds, Self.usualBlockSize)
        do {
            let key = try Self.key(passphrase, salt: salt, rounds: rounds, blockSize: blockSize)
            sealed = Array(try AES.GCM.seal(JSONEncoder().encode(inside), using: key).combined ?? Data())
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// - Throws: `TrustError.refused` for a wrong passphrase and for a file that was changed.
    func open(passphrase: String) throws(TrustError) -> Inside {
        // No file may ask for more than this: the numbers are not sealed.
        guard format == "tutti household 1", rounds == Self.usualRounds, blockSize == Self.usualBlockSize else {
            throw .refused("the file is none that `tutti household export` of this version has written")
        }
        let plain: Data
        do {
            let key = try Self.key(passphrase, salt: salt, rounds: rounds, blockSize: blockSize)
            plain = try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key)
        } catch {
            throw .refused("the passphrase is wrong, or the file was changed")
        }
        return try Inside(parsing: Array(plain))
    }

    private static func key(
        _ passphrase: String, salt: [UInt8], rounds: Int, blockSize: Int
    ) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Data(passphrase.utf8), salt: salt, outputByteCount: 32, rounds: rounds, blockSize: blockSize,
            parallelism: 1)
    }
}

extension MembershipFolder {
    /// The household as a file that `passphrase` opens.
    ///
    /// - Throws: `TrustError.noSigningKey`, `.refused` for a passphrase that is too short.
    package func export(passphrase: String, name: String) throws(TrustError) -> [UInt8] {
        guard passphrase.utf8.count >= HouseholdArchive.shortest else {
            throw .refused("a passphrase has at least \(HouseholdArchive.shortest) characters")
        }
        _ = try load(name: name)
        let inside = HouseholdArchive.Inside(
            householdKey: try householdKey().pemRepresentation, content: try content())
        let archive = try HouseholdArchive(inside, passphrase: passphrase)
        guard let bytes = try? JSONEncoder().encode(archive) else { throw .cryptography("the file") }
        return [UInt8](bytes) + [UInt8(ascii: "\n")]
    }

    /// Becomes a sender of the household in such a file, which can sign for it; what this sender had before is left.
    ///
    /// - Throws: `TrustError.refused` when the file or the passphrase is wrong; nothing is changed then.
    package func restore(_ bytes: [UInt8], passphrase: String, name: String) throws(TrustError) -> Membership {
        guard bytes.count < 1 << 20, let archive = try? JSONDecoder().decode(HouseholdArchive.self, from: Data(bytes))
        else { throw .refused("the file is none that `tutti household export` has written") }
        let inside = try archive.open(passphrase: passphrase)
        let key = try inside.signingKey()
        let node = try NodeKey.load(from: path)
        guard !inside.content.revocations.contains(node.id) else {
            throw .refused("this sender was revoked by that household")
        }
        return try found(
            key, chain: Household.chain(for: node, name: name, household: key), node: node, content: inside.content)
    }
}
