import Crypto
import FoundationEssentials

/// Who of a household is one of it no longer, signed by the household.
package struct Revocations: Sendable, Equatable, Codable {
    /// Counts the changes; the list with the greatest number holds. 0: nobody was ever revoked.
    package private(set) var serial: UInt64 = 0
    /// The ids of nodes.
    package private(set) var nodes: [String] = []
    private var signature: [UInt8] = []

    /// Nodes in a list at most.
    package static let maximumCount = 256
    /// Bytes of a list as it is sent.
    package static let maximumBytes = 16 * 1024

    package init() {}

    private init(serial: UInt64, nodes: [String], signature: [UInt8]) {
        (self.serial, self.nodes, self.signature) = (serial, nodes, signature)
    }

    package func contains(_ node: String) -> Bool { nodes.contains(node) }

    /// The list with one more.
    ///
    /// - Throws: `TrustError.refused` when it is full.
    func adding(_ node: String, signedBy key: P256.Signing.PrivateKey) throws(TrustError) -> Revocations {
        guard nodes.count < Self.maximumCount else {
            throw .refused("\(Self.maximumCount) senders have been revoked already; make a new household")
        }
        let (serial, nodes) = (serial &+ 1, nodes.contains(node) ? nodes : nodes + [node])
        do {
            let signature = try key.signature(for: Self.text(serial, nodes)).rawRepresentation
            return Revocations(serial: serial, nodes: nodes, signature: Array(signature))
        } catch {
            throw .cryptography(String(describing: error))
        }
    }

    /// Whether the household with this key (SubjectPublicKeyInfo, DER) has signed the list.
    package func isSigned(by householdKey: [UInt8]) -> Bool {
        if serial == 0 { return nodes.isEmpty }
        guard nodes.count <= Self.maximumCount,
            let key = try? P256.Signing.PublicKey(derRepresentation: householdKey),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: Self.text(serial, nodes))
    }

    private static func text(_ serial: UInt64, _ nodes: [String]) -> Data {
        Data("tutti revoked 2\n\(serial)\n\(nodes.joined(separator: "\n"))\n".utf8)
    }

    // MARK: On the wire

    /// The list as a text: its number, its signature in base64, then the nodes, with spaces between.
    package var text: String {
        (["\(serial)", Data(signature).base64EncodedString()] + nodes).joined(separator: " ")
    }

    /// A list from such a text; nil for any other.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        let lines = text.split(separator: " ", omittingEmptySubsequences: false)
        guard (2...Self.maximumCount + 2).contains(lines.count), let serial = UInt64(lines[0]),
            let signature = Data(base64Encoded: String(lines[1])), signature.count <= 128,
            lines.dropFirst(2).allSatisfy({ (1...64).contains($0.utf8.count) })
        else { return nil }
        self.init(serial: serial, nodes: lines.dropFirst(2).map(String.init), signature: Array(signature))
    }
}
