import Crypto
import FoundationEssentials
package import NIOSSL
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
    /// How this sender speaks to speakers.
    package let context: NIOSSLContext
    private let folder: MembershipFolder
    private let content: Mutex<Content>

    /// What changes, as it is kept.
    struct Content: Codable, Equatable, HouseholdRecord {
        var timeKeys = TimeKeys()
        var revocations = Revocations()
        /// Who has been given a certificate by this sender, in that order.
        var senders: [Sender] = []
        /// What was said of speakers: their tokens, by the room's name.
        var tokens: [String: String] = [:]
        /// The speaker that was met under a room's name first.
        var pins: [String: Pin] = [:]
    }

    /// A speaker that was met.
    package struct Pin: Codable, Sendable, Equatable {
        /// Its id.
        package var speaker: String
        /// Where it was met last, `HOST:PORT`.
        package var place: String
    }

    /// A sender that this one has let into the household.
    package struct Sender: Codable, Sendable, Equatable {
        package var id: String
        package var name: String
    }

    init(
        node: NodeKey, chain: [[UInt8]], householdKey: [UInt8], folder: MembershipFolder, content: Content
    ) throws(TrustError) {
        context = try TLS.client(node, chain: chain)
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

    /// Takes what a speaker of the household has of another sender. What cannot be written down is had again from the
    /// next speaker.
    ///
    /// - Returns: whether there is something new.
    package func take(_ keys: [TimeKey], _ list: Revocations?) -> Bool {
        let isNews = content.withLock { content in
            (list?.serial ?? 0) > content.revocations.serial
                || keys.contains { content.revocations.admits($0) && content.timeKeys[$0.epoch] == nil }
        }
        guard isNews else { return false }
        let before = content.withLock { $0 }
        try? change { $0.take(keys, list, householdKey: householdKey) }
        return content.withLock { $0 != before }
    }

    /// Has the household know this node no longer: it is on the list, and everybody gets a new key of the time.
    ///
    /// - Parameter sender: the name or the id of a sender.
    /// - Returns: the sender's id.
    /// - Throws: `TrustError.noSigningKey`, `.refused` for one that nobody knows, `.file`.
    package func revoke(_ sender: String) throws(TrustError) -> String {
        let key = try folder.householdKey()
        var revoked = ""
        try change { content throws(TrustError) in
            let known = content.senders.filter { $0.id == sender || $0.name == sender }
            guard let id = known.first?.id ?? (Self.isID(sender) ? sender : nil), known.count < 2 else {
                let reason =
                    known.isEmpty
                    ? "no sender of this name or id; `tutti household list` lists them"
                    : "several senders have this name; name one by its id (`tutti household list` shows them)"
                throw .refused("\(sender): \(reason)")
            }
            guard id != node.id else { throw .refused("a sender cannot revoke itself") }
            let timeKey = TimeKey(after: content.revocations.epoch)
            let list = try content.revocations.adding(id, timeKey: timeKey, signedBy: key)
            content.take([timeKey], list, householdKey: householdKey)
            content.senders.removeAll { $0.id == id }
            revoked = id
        }
        return revoked
    }

    /// Signs a certificate for another sender's key (SubjectPublicKeyInfo, DER), and notes who it is.
    ///
    /// - Returns: the certificates (DER), that of the sender first.
    package func admit(_ key: [UInt8], name: String) throws(TrustError) -> [[UInt8]] {
        let householdKey = try folder.householdKey()
        guard let publicKey = try? P256.Signing.PublicKey(derRepresentation: key) else {
            throw .refused("what asks for a certificate has no key that one could sign")
        }
        let id = Fingerprint.of(publicKey)
        let certificate = try Certificates.make(
            for: publicKey, name: name, signedBy: householdKey, issuerName: Household.commonName)
        let bytes = try Certificates.encode(certificate)
        try change { content throws(TrustError) in
            guard !content.revocations.contains(id) else { throw .refused("this sender was revoked") }
            content.senders.removeAll { $0.id == id }
            content.senders.append(Sender(id: id, name: name))
        }
        return [bytes, chain[1]]
    }

    // MARK: Speakers

    /// The token that was said to belong to a room's speaker.
    package func token(of room: String) -> ClaimToken? {
        content.withLock { $0.tokens[room.lowercased()] }.flatMap { ClaimToken($0) }
    }

    /// Remembers the token of a room's speaker, for when it is claimed, or forgets it.
    package func setToken(_ token: ClaimToken?, of room: String) throws(TrustError) {
        try change { $0.tokens[room.lowercased()] = token?.text }
    }

    /// The id of the speaker that was met under a room's name first; nil for a name that is new.
    package func pin(of room: String) -> String? { content.withLock { $0.pins[room.lowercased()]?.speaker } }

    /// Whether a speaker with this id was met before.
    package func knows(_ speaker: String) -> Bool {
        content.withLock { $0.pins.values.contains { $0.speaker == speaker } }
    }

    /// The rooms whose speakers are known.
    package var pins: [String: Pin] { content.withLock { $0.pins } }

    /// Remembers which speaker belongs to a room's name, or forgets it. What cannot be written down is remembered
    /// while this process lasts.
    ///
    /// - Parameter place: where the speaker was met, `HOST:PORT`.
    package func setPin(_ speaker: String?, of room: String, at place: String = "") {
        let pin = speaker.map { Pin(speaker: $0, place: place) }
        guard pins[room.lowercased()] != pin else { return }
        try? change(isDurable: false) { $0.pins[room.lowercased()] = pin }
    }

    // MARK: Other processes

    /// Reads again what another process of this sender may have changed.
    package func refresh() {
        guard let latest = folder.newContent() else { return }
        content.withLock { $0 = latest }
    }

    /// Changes what is kept, from what other processes have made of it, and writes it down; the change holds in this
    /// process though it cannot be written.
    private func change(
        isDurable: Bool = true, _ body: (inout Content) throws(TrustError) -> Void
    ) throws(TrustError) {
        let lock = FileLock(directory: folder.path, patience: 5)
        defer { withExtendedLifetime(lock) {} }
        var latest = folder.newContent() ?? content.withLock { $0 }
        try body(&latest)
        content.withLock { $0 = latest }
        try folder.save(latest, isDurable: isDurable)
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
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
