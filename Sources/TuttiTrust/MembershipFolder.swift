import Crypto
import FoundationEssentials
import Glibc
import SwiftASN1
import Synchronization
import TuttiHost

/// The folder in which a sender keeps what makes it one of its household. Everything in it is for its owner alone.
package final class MembershipFolder: Sendable {
    /// Where.
    package let path: String
    /// The file as it was last seen.
    private let seen = Mutex(Stamp())

    private struct Stamp: Equatable {
        var inode: UInt64 = 0
        var seconds: Int64 = 0
        var nanoseconds: Int64 = 0
    }

    /// The folder in a state folder.
    package init(stateDirectory: String) { path = stateDirectory + "/trust" }

    private var chainPath: String { path + "/household.pem" }
    private var keyPath: String { path + "/household-key.pem" }
    private var contentPath: String { path + "/household.json" }

    /// The sender's membership; a household of its own is made at first use.
    ///
    /// - Parameter name: what the sender is called, for people.
    /// - Throws: `TrustError.file`, `.damaged`; nothing is overwritten then.
    package func load(name: String) throws(TrustError) -> Membership {
        let node = try NodeKey.load(from: path)
        let lock = FileLock(directory: path, patience: 5)
        defer { withExtendedLifetime(lock) {} }
        if let membership = try membership(of: node) { return membership }
        let (key, chain) = try Household.make(for: node, name: name)
        return try found(key, chain: chain, node: node, content: Self.first)
    }

    /// The sender's membership; nil for one that has none yet.
    ///
    /// - Throws: as `load`.
    package func existing() throws(TrustError) -> Membership? {
        guard let node = try NodeKey.existing(in: path) else { return nil }
        return try membership(of: node)
    }

    /// The content of a household that begins.
    static var first: Membership.Content {
        var content = Membership.Content()
        content.timeKeys.add(TimeKey())
        return content
    }

    /// The membership as it is kept; nil for a sender that has none yet.
    private func membership(of node: NodeKey) throws(TrustError) -> Membership? {
        guard let text = try read(chainPath) else { return nil }
        let remedy = Self.remedy(path)
        let documents = (try? PEMDocument.parseMultiple(pemString: text)) ?? []
        let chain = documents.map(\.derBytes)
        guard let credential = Credential(chain: chain), let key = credential.householdKey else {
            throw .damaged(path: chainPath, remedy: remedy)
        }
        guard credential.nodeID == node.id else {
            throw .damaged(path: chainPath, remedy: "it is not that of node-key.pem; \(remedy)")
        }
        return try Membership(node: node, chain: chain, householdKey: key, folder: self, content: content())
    }

    /// What is kept of the household.
    func content() throws(TrustError) -> Membership.Content {
        guard let text = try read(contentPath),
            let content = try? JSONDecoder().decode(Membership.Content.self, from: Data(text.utf8))
        else { throw .damaged(path: contentPath, remedy: Self.remedy(path)) }
        return content
    }

    private static func remedy(_ path: String) -> String {
        "restore it from a backup, or remove \(path): the sender makes a new household then"
    }

    /// Writes a membership down; the chain last, for with it the membership begins.
    @discardableResult
    func found(
        _ key: P256.Signing.PrivateKey?, chain: [[UInt8]], node: NodeKey, content: Membership.Content
    ) throws(TrustError) -> Membership {
        guard let householdKey = Credential(chain: chain)?.householdKey else {
            throw .refused("the certificates are not those of a household")
        }
        if let key { try write(key.pemRepresentation, to: keyPath) } else { try remove(keyPath) }
        try save(content)
        let pem = chain.map { PEMDocument(type: "CERTIFICATE", derBytes: $0).pemString }.joined(separator: "\n") + "\n"
        try write(pem, to: chainPath)
        return try Membership(node: node, chain: chain, householdKey: householdKey, folder: self, content: content)
    }

    /// - Parameter isDurable: whether it must be there after the power goes; what is had again easily need not.
    func save(_ content: Membership.Content, isDurable: Bool = true) throws(TrustError) {
        guard let bytes = try? JSONEncoder().encode(content) else { throw .cryptography("household.json") }
        try write(String(decoding: bytes, as: UTF8.self), to: contentPath, isDurable: isDurable)
    }

    /// The content, if it was written by another process since it was last read or written here.
    func newContent() -> Membership.Content? {
        var status = stat()
        guard stat(contentPath, &status) == 0 else { return nil }
        let stamp = Stamp(
            inode: UInt64(status.st_ino), seconds: Int64(status.st_mtim.tv_sec),
            nanoseconds: Int64(status.st_mtim.tv_nsec))
        guard seen.withLock({ $0 != stamp }), let text = try? read(contentPath) else { return nil }
        seen.withLock { $0 = stamp }
        return try? JSONDecoder().decode(Membership.Content.self, from: Data(text.utf8))
    }

    var hasHouseholdKey: Bool { ((try? read(keyPath)) ?? nil) != nil }

    /// The key that signs for the household.
    ///
    /// - Throws: `TrustError.noSigningKey` where it is not kept here, `.damaged`.
    func householdKey() throws(TrustError) -> P256.Signing.PrivateKey {
        guard let text = try read(keyPath) else { throw .noSigningKey }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: text) else {
            throw .damaged(path: keyPath, remedy: "restore it from a backup or from `tutti household export`")
        }
        return key
    }

    private func read(_ path: String) throws(TrustError) -> String? {
        do {
            return try AtomicFile.read(path).map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw .file(path: path, reason: error.description)
        }
    }

    private func write(_ text: String, to path: String, isDurable: Bool = true) throws(TrustError) {
        do {
            try AtomicFile.write(Array(text.utf8), to: path, isDurable: isDurable)
        } catch {
            throw .file(path: path, reason: error.description)
        }
    }

    private func remove(_ path: String) throws(TrustError) {
        do {
            try AtomicFile.remove(path)
        } catch {
            throw .file(path: path, reason: error.description)
        }
    }
}
