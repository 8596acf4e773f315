import FoundationEssentials
import TuttiHost

/// The hosts that this user controls from afar: tokens, and the certificates that were met first. The file is its
/// owner's alone.
package struct KnownHosts: Sendable {
    /// What is known of a host.
    package struct Entry: Codable, Sendable, Equatable {
        /// The token; nil if none was given.
        package var token: String?
        /// The SHA-256 fingerprint of its certificate, as openssl shows it; nil if it has not been met.
        package var fingerprint: String?

        package init(token: String? = nil, fingerprint: String? = nil) {
            self.token = token
            self.fingerprint = fingerprint
        }
    }

    /// The file.
    package let path: String

    /// The file in a folder of settings.
    package init(folder: String) { path = folder + "/hosts.json" }

    /// All of them, by `HOST:PORT`.
    ///
    /// - Throws: `RemoteFailure` for a file that cannot be read.
    package func entries() throws(RemoteFailure) -> [String: Entry] {
        let bytes: [UInt8]?
        do { bytes = try AtomicFile.read(path) } catch { throw RemoteFailure(error.description) }
        guard let bytes else { return [:] }
        guard let entries = try? JSONDecoder().decode([String: Entry].self, from: Data(bytes)) else {
            throw RemoteFailure("\(path) is damaged; repair it, or remove it and use `tutti host add` again")
        }
        return entries
    }

    /// Changes what is known of a host.
    ///
    /// - Throws: `RemoteFailure` when it cannot be kept.
    package func change(_ address: RemoteAddress, _ change: (inout Entry?) -> Void) throws(RemoteFailure) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        do { try StatePaths.prepare(folder) } catch { throw RemoteFailure(error.description) }
        let lock = FileLock(directory: folder, patience: 5)
        defer { withExtendedLifetime(lock) {} }
        var entries = try entries()
        change(&entries["\(address)"])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(entries) else { throw RemoteFailure("\(path) cannot be written") }
        do { try AtomicFile.write(Array(bytes), to: path) } catch { throw RemoteFailure(error.description) }
    }
}
