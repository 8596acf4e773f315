import Crypto
import FoundationEssentials
import Synchronization
import TuttiHost
import X509

/// A sender's place in its household: its key, the certificate that the household has signed for it, what it hands to
/// speakers; and, where the household was made or imported, the key that signs.
package final class Membership: Sendable {
    /// Who this sender is.
    package let node: NodeKey
    /// The household's key (SubjectPublicKeyInfo, DER).
    package let householdKey: [UInt8]
    /// Certificates (DER): the sender's own, and the household's.
    package let chain: [[UInt8]]
    private let folder: MembershipFolder
    private let content: Mutex<Content>

    /// What changes, as it is kept.
    struct Content: Codable, Equatable {
        var timeKeys = TimeKeys()
        var revocations = Revocations()
        /// Who has been given a certificate by this sender, in that order.
        var senders: [Sender] = []
        /// What was said of speakers: their tokens, by the room's name.
        var tokens: [String: String] = [:]
    }

    /// A sender that this one has let into the household.
    package struct Sender: Codable, Sendable, Equatable {
        package var id: String
        package var name: String
    }

    init(node: NodeKey, chain: [[UInt8]], householdKey: [UInt8], folder: MembershipFolder, content: Content) {
        (self.node, self.chain, self.householdKey, self.folder) = (node, chain, householdKey, folder)
        self.content = Mutex(content)
    }

    /// The household's id.
    package var household: String { Fingerprint.of(derRepresentation: householdKey) }

    package var timeKeys: TimeKeys { content.withLock { $0.timeKeys } }

    package var revocations: Revocations { content.withLock { $0.revocations } }

    /// Those that this sender has let in.
    package var senders: [Sender] { content.withLock { $0.senders } }

    /// Whether this sender can sign for the household.
    package var canSign: Bool { folder.hasHouseholdKey }

    /// Takes what a speaker of the household has of another sender.
    ///
    /// - Returns: whether there is something new.
    package func take(_ keys: [TimeKey], _ list: Revocations?) -> Bool {
        content.withLock { content in
            let before = content
            var revokes = false
            if let list, list.serial > content.revocations.serial, list.isSigned(by: householdKey) {
                content.revocations = list
                revokes = true
            }
            for key in keys.sorted(by: { $0.epoch < $1.epoch }) {
                let isNewer = key.epoch > (before.timeKeys.newest?.epoch ?? 0)
                content.timeKeys.add(key, revokesOlder: revokes && isNewer)
            }
            guard content != before else { return false }
            // What cannot be written is had again from the next speaker.
            try? folder.save(content)
            return true
        }
    }

    /// Has the household know this node no longer: it is on the list, and everybody gets a new key of the time.
    ///
    /// - Parameter sender: the name or the id of a sender.
    /// - Returns: the sender's id.
    /// - Throws: `TrustError.noSigningKey`, `.refused` for one that nobody knows, `.file`.
    package func revoke(_ sender: String) throws(TrustError) -> String {
        let key = try folder.householdKey()
        do {
            return try content.withLock { content in
                let known = content.senders.filter { $0.id == sender || $0.name == sender }
                guard let id = known.first?.id ?? (Self.isID(sender) ? sender : nil), known.count < 2 else {
                    let reason =
                        known.isEmpty
                        ? "no sender of this name or id; `tutti household` lists them"
                        : "several senders have this name; name one by its id (`tutti household` lists them)"
                    throw TrustError.refused("\(sender): \(reason)")
                }
                guard id != node.id else { throw TrustError.refused("a sender cannot revoke itself") }
                var new = content
                new.revocations = try content.revocations.adding(id, signedBy: key)
                new.timeKeys.add(TimeKey(after: content.timeKeys.newest), revokesOlder: true)
                new.senders.removeAll { $0.id == id }
                try folder.save(new)
                content = new
                return id
            }
        } catch let error as TrustError {
            throw error
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Signs a certificate for another sender's key (SubjectPublicKeyInfo, DER), and notes who it is.
    package func admit(_ key: [UInt8], name: String) throws(TrustError) -> [[UInt8]] {
        let householdKey = try folder.householdKey()
        guard let publicKey = try? P256.Signing.PublicKey(derRepresentation: key) else {
            throw .refused("what asks for a certificate has no key that one could sign")
        }
        let id = Fingerprint.of(publicKey)
        guard !revocations.contains(id) else { throw .refused("this sender was revoked") }
        let certificate = try Certificates.make(
            for: publicKey, name: name, signedBy: householdKey, issuerName: Household.commonName)
        let bytes = try Certificates.encode(certificate)
        let sender = Sender(id: id, name: name)
        do {
            try content.withLock { content in
                var new = content
                new.senders.removeAll { $0.id == id }
                new.senders.append(sender)
                try folder.save(new)
                content = new
            }
        } catch let error as TrustError {
            throw error
        } catch {
            throw .cryptography(String(describing: error))
        }
        return [bytes, chain[1]]
    }

    /// The token that was said to belong to a room's speaker.
    package func token(of room: String) -> ClaimToken? {
        content.withLock { $0.tokens[room.lowercased()] }.flatMap { ClaimToken($0) }
    }

    /// Remembers the token of a room's speaker, for when it is claimed.
    package func setToken(_ token: ClaimToken?, of room: String) throws(TrustError) {
        do {
            try content.withLock { content in
                var new = content
                new.tokens[room.lowercased()] = token?.text
                try folder.save(new)
                content = new
            }
        } catch let error as TrustError {
            throw error
        } catch {
            throw .cryptography(String(describing: error))
        }
    }
}

/// The key that makes a household.
enum Household {
    static let commonName = "Tutti household"

    /// A household that nobody had before, with this node as its first sender.
    static func make(for node: NodeKey, name: String) throws(TrustError) -> (
        key: P256.Signing.PrivateKey, chain: [[UInt8]]
    ) {
        let key = P256.Signing.PrivateKey()
        return (key, try chain(for: node, name: name, household: key))
    }

    /// The certificates of a node that holds the household's key itself.
    static func chain(
        for node: NodeKey, name: String, household key: P256.Signing.PrivateKey
    ) throws(TrustError) -> [[UInt8]] {
        let root = try Certificates.makeSelfSigned(by: key, name: commonName, isAuthority: true)
        let leaf = try Certificates.make(
            for: node.privateKey.publicKey, name: name, signedBy: key, issuerName: commonName)
        return [try Certificates.encode(leaf), try Certificates.encode(root)]
    }
}
