import Crypto
import FoundationEssentials

/// Who of a household is one of it no longer, and which key of the time counts since, signed by the household.
package struct Revocations: Sendable, Equatable, Codable {
    /// Counts the changes; the list with the greatest number holds. 0: nobody was ever revoked.
    package private(set) var serial: UInt64 = 0
    /// The ids of nodes.
    package private(set) var nodes: [String] = []
    /// The key of the time that counts; nil while nobody was ever revoked.
    private var key: TimeKeyName?
    private var signature: [UInt8] = []

    /// Nodes in a list at most.
    package static let maximumCount = 256
    /// Bytes of a list as it is sent.
    package static let maximumBytes = 16 * 1024

    package init() {}

    private init(serial: UInt64, key: TimeKeyName, nodes: [String], signature: [UInt8]) {
        (self.serial, self.key, self.nodes, self.signature) = (serial, key, nodes, signature)
    }

    package func contains(_ node: String) -> Bool { nodes.contains(node) }

    /// The epoch of the key that counts.
    var epoch: UInt32 { key?.epoch ?? 1 }

    /// Whether a key of the time counts: the one that the list names; where nobody was ever revoked, the household's
    /// first.
    package func admits(_ timeKey: TimeKey) -> Bool {
        guard let key else { return timeKey.epoch == epoch }
        return timeKey.name == key
    }

    /// The list with one more, and with `timeKey` as the key that counts from now on.
    ///
    /// - Throws: `TrustError.refused` when it is full.
    func adding(
        _ node: String, timeKey: TimeKey, signedBy householdKey: P256.Signing.PrivateKey
    ) throws(TrustError) -> Revocations {
        guard nodes.count < Self.maximumCount else {
            throw .refused("\(Self.maximumCount) senders have been revoked already; make a new household")
        }
        let (serial, nodes) = (serial &+ 1, nodes.contains(node) ? nodes : nodes + [node])
        do {
            let text = Self.text(serial, timeKey.name, nodes)
            let signature = try householdKey.signature(for: text).rawRepresentation
            return Revocations(serial: serial, key: timeKey.name, nodes: nodes, signature: Array(signature))
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// Whether the household with this key (SubjectPublicKeyInfo, DER) has signed the list.
    package func isSigned(by householdKey: [UInt8]) -> Bool {
        if serial == 0 { return nodes.isEmpty }
        guard nodes.count <= Self.maximumCount, let key,
            let publicKey = try? P256.Signing.PublicKey(derRepresentation: householdKey),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return publicKey.isValidSignature(signature, for: Self.text(serial, key, nodes))
    }

    private static func text(_ serial: UInt64, _ key: TimeKeyName, _ nodes: [String]) -> Data {
        let lines = ["tutti revoked 2", "\(serial)", "\(key.epoch)", key.fingerprint] + nodes
        return Data(lines.map { $0 + "\n" }.joined().utf8)
    }

    // MARK: On the wire

    /// The list as a text: its number, its signature in base64, the key's epoch and fingerprint, then the nodes, with
    /// spaces between; nil while nobody was ever revoked.
    package var text: String? {
        guard let key else { return nil }
        let parts = ["\(serial)", Data(signature).base64EncodedString(), "\(key.epoch)", key.fingerprint]
        return (parts + nodes).joined(separator: " ")
    }

    /// A list from such a text; nil for any other.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let lines = text.split(separator: " ", omittingEmptySubsequences: false)
        guard (4...Self.maximumCount + 4).contains(lines.count), let serial = UInt64(lines[0]),
            let signature = Data(base64Encoded: String(lines[1])), signature.count <= 128,
            let epoch = UInt32(lines[2]), lines.dropFirst(3).allSatisfy({ (1...64).contains($0.utf8.count) })
        else { return nil }
        self.init(
            serial: serial, key: TimeKeyName(epoch: epoch, fingerprint: String(lines[3])),
            nodes: lines.dropFirst(4).map(String.init), signature: Array(signature))
    }
}
