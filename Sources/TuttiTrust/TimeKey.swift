import Crypto
import FoundationEssentials

/// A key that a household's members sign the time with.
package struct TimeKey: Sendable, Equatable, Codable {
    /// Which: the newest counts. 1 is the first of a household.
    package var epoch: UInt32
    /// 32 random bytes.
    package var bytes: [UInt8]

    package init(epoch: UInt32, bytes: [UInt8]) {
        self.epoch = epoch
        self.bytes = bytes
    }

    /// A key that nobody had before: the first of a household, or the one after the epoch `previous`.
    package init(after previous: UInt32 = 0) {
        epoch = previous &+ 1
        bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }

    /// Bytes of a key.
    package static let size = 32

    /// Whether it can be one.
    package var isValid: Bool { epoch > 0 && bytes.count == Self.size }

    /// What the household calls it when it says which key counts.
    var name: TimeKeyName {
        TimeKeyName(epoch: epoch, fingerprint: Fingerprint.hexadecimal(SHA256.hash(data: bytes)))
    }
}

/// A key of the time, named without giving it away.
package struct TimeKeyName: Sendable, Equatable, Codable {
    /// The key's epoch.
    var epoch: UInt32
    /// SHA-256 of the key's bytes, in lower-case hexadecimal.
    var fingerprint: String
}

/// The time keys that a member holds, the newest first: one in a household, up to two at an open speaker, whom members
/// of several may tell theirs.
package struct TimeKeys: Sendable, Equatable, Codable {
    /// How many are held.
    static let memory = 2
    /// Epochs that a key may be newer than the newest: each revocation adds one. Who hands an open speaker one at the
    /// end of the range would otherwise keep it from ever having a newer one.
    static let step: UInt32 = 256

    package private(set) var keys: [TimeKey] = []

    package init(_ keys: [TimeKey] = []) { for key in keys { add(key) } }

    /// The one to sign with.
    package var newest: TimeKey? { keys.first }

    /// The key of an epoch, if that is held.
    package subscript(epoch: UInt32) -> TimeKey? { keys.first { $0.epoch == epoch } }

    /// What shows other members that a member says this; nil while no key is held.
    package func mark(_ text: String) -> String? { newest.map { Self.mark(text, by: $0) } }

    /// Whether a member has marked this text so.
    package func accepts(_ mark: String, on text: String) -> Bool { keys.contains { Self.mark(text, by: $0) == mark } }

    private static func mark(_ text: String, by key: TimeKey) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key.bytes))
        return Fingerprint.hexadecimal(code.prefix(16))
    }

    /// Takes a key.
    ///
    /// - Returns: whether anything has changed.
    @discardableResult
    package mutating func add(_ key: TimeKey) -> Bool {
        guard key.isValid else { return false }
        if let newest, key.epoch > newest.epoch, key.epoch - newest.epoch > Self.step { return false }
        let before = keys
        if self[key.epoch] == nil { keys.append(key) }
        keys.sort { $0.epoch > $1.epoch }
        keys = Array(keys.prefix(Self.memory))
        return keys != before
    }

    /// Forgets all keys but those that `counts` holds for.
    mutating func keep(_ counts: (TimeKey) -> Bool) { keys.removeAll { !counts($0) } }
}
