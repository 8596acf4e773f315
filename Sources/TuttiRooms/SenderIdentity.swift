import TuttiHost
package import TuttiTrust

/// Who this sender is, for as long as it is installed.
package struct SenderIdentity: Sendable, Equatable {
    /// A random id, kept in the state directory.
    package let id: String
    /// The host's name.
    package let name: String

    /// Its place in its household; nil for one that speaks in the clear.
    package let trust: Membership?

    /// An identity of these values.
    package init(id: String, name: String, trust: Membership? = nil) {
        self.id = id
        self.name = name
        self.trust = trust
    }

    package static func == (left: SenderIdentity, right: SenderIdentity) -> Bool {
        (left.id, left.name) == (right.id, right.name)
    }

    /// An identity for one announcement: it takes no place from what this sender plays, nor from another announcement.
    package var forAnnouncement: SenderIdentity {
        SenderIdentity(
            id: id + "-say-" + String(UInt32.random(in: 0...UInt32.max), radix: 16), name: name, trust: trust)
    }

    /// The identity kept in `directory`, made when there is none.
    ///
    /// - Throws: `SenderError.system` when the directory cannot be made or written.
    package static func load(
        from directory: String, trust: Membership? = nil
    ) throws(SenderError) -> SenderIdentity {
        let path = directory + "/sender-id"
        do {
            try StatePaths.prepare(directory)
            if let bytes = try AtomicFile.read(path), let id = valid(bytes) {
                return SenderIdentity(id: id, name: hostName(), trust: trust)
            }
            let identity = SenderIdentity(id: random().id, name: hostName(), trust: trust)
            try AtomicFile.write(Array((identity.id + "\n").utf8), to: path)
            return identity
        } catch {
            throw .system(error.description)
        }
    }

    /// An identity that nobody had before.
    package static func random() -> SenderIdentity {
        SenderIdentity(id: String(UInt64.random(in: UInt64.min...UInt64.max), radix: 16), name: hostName())
    }

    private static func valid(_ bytes: [UInt8]) -> String? {
        let digits = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard (1...64).contains(digits.count), digits.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    /// What this host is called.
    package static func hostName() -> String { HostName.own ?? "tutti" }
}
