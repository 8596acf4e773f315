import Crypto
import FoundationEssentials
import TuttiHost

/// What the holder of a token may do. Each scope includes those before it.
package enum TokenScope: String, Sendable, Codable, CaseIterable, Comparable {
    /// See what plays, and hear it.
    case listen
    /// Change what plays.
    case control
    /// Change who may.
    case admin

    package static func < (left: TokenScope, right: TokenScope) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A token of a program or a phone, as it is listed.
package struct TokenEntry: Sendable, Equatable, Codable {
    /// What it was made for; unique.
    package var name: String
    package var scope: TokenScope
    /// Seconds since 1970.
    package var madeAt: Int64
    /// The only group of rooms that it is for; nil for all that there is.
    package var group: String?
    /// When it ends, in seconds since 1970; nil for one that does not.
    package var until: Int64?

    package init(name: String, scope: TokenScope, madeAt: Int64, group: String? = nil, until: Int64? = nil) {
        self.name = name
        self.scope = scope
        self.madeAt = madeAt
        self.group = group
        self.until = until
    }

    fileprivate func isOver(at seconds: Int64) -> Bool { until.map { $0 <= seconds } ?? false }
}

/// The tokens by which programs and phones show that they may use this host's service. The file has their hashes only
/// (SHA-256 of 128 random bits, which nobody can guess): whoever reads it gets in nowhere.
///
/// Several processes may use one file: each call reads it anew, and whoever changes it holds the folder's lock.
package struct TokenStore: Sendable {
    /// Tokens in a file, and bytes of a name, at most.
    package static let (maximumCount, maximumNameBytes) = (256, 64)

    private struct Record: Codable {
        var entry: TokenEntry
        var hash: [UInt8]
    }

    private let folder: String
    private var path: String { folder + "/tokens.json" }

    /// The store in a state folder, beside what makes the host one of its household.
    package init(stateDirectory: String) { folder = stateDirectory + "/trust" }

    /// The tokens that there are, by name. Those whose time is over are removed.
    ///
    /// - Parameter seconds: the time now, since 1970.
    /// - Throws: `TrustError.file`, `.damaged`.
    package func entries(at seconds: Int64) throws(TrustError) -> [TokenEntry] {
        var entries = try records().map(\.entry)
        if entries.contains(where: { $0.isOver(at: seconds) }) {
            try change(at: seconds) { _ throws(TrustError) in }
            entries.removeAll { $0.isOver(at: seconds) }
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - group: the only group of rooms that it is for; nil for all that there is.
    ///   - until: when it ends, in seconds since 1970; nil for one that does not.
    ///   - seconds: the time now, since 1970.
    /// - Returns: the token. It is nowhere else: what is kept is its hash.
    /// - Throws: `TrustError.refused` for a name that is taken or is none, and when there are too many; `.file`.
    package func add(
        _ name: String, scope: TokenScope, group: String? = nil, until: Int64? = nil, at seconds: Int64
    ) throws(TrustError) -> ClaimToken {
        guard group == nil || scope < .admin else {
            throw .refused("a token for one group cannot have the scope admin")
        }
        guard (1...Self.maximumNameBytes).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 32 && $0 != 127 })
        else { throw .refused("a token's name has 1 to \(Self.maximumNameBytes) bytes on one line") }
        let token = ClaimToken()
        try change(at: seconds) { records throws(TrustError) in
            guard !records.contains(where: { $0.entry.name == name }) else {
                throw .refused("\(name): there is a token of this name; `tutti token revoke` removes it")
            }
            guard records.count < Self.maximumCount else {
                throw .refused("there are \(Self.maximumCount) tokens; revoke one first")
            }
            let entry = TokenEntry(name: name, scope: scope, madeAt: seconds, group: group, until: until)
            records.append(Record(entry: entry, hash: Self.hash(token)))
        }
        return token
    }

    /// Lets the holder of a token in no longer.
    ///
    /// - Throws: `TrustError.refused` for a name that no token has; `.file`.
    package func revoke(_ name: String) throws(TrustError) {
        try change { records throws(TrustError) in
            let before = records.count
            records.removeAll { $0.entry.name == name }
            guard records.count < before else { throw .refused("\(name): no token of this name; `tutti token list`") }
        }
    }

    /// Whose token this is; nil for a text that is none of them. Takes as long whichever it is. One whose time is over
    /// is removed.
    ///
    /// - Parameter seconds: the time now, since 1970.
    /// - Throws: `TrustError.file`, `.damaged`.
    package func entry(of text: String, at seconds: Int64) throws(TrustError) -> TokenEntry? {
        guard let token = ClaimToken(text) else { return nil }
        let hash = Self.hash(token)
        var found: TokenEntry?
        for record in try records() where Self.isEqual(record.hash, hash) { found = record.entry }
        guard let found, found.isOver(at: seconds) else { return found }
        // It stays out, whether the file can be written or not.
        try? change(at: seconds) { _ throws(TrustError) in }
        return nil
    }

    // MARK: The file

    private static func hash(_ token: ClaimToken) -> [UInt8] { Array(SHA256.hash(data: token.bytes)) }

    private static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func records() throws(TrustError) -> [Record] {
        do {
            guard let bytes = try AtomicFile.read(path) else { return [] }
            guard let records = try? JSONDecoder().decode([Record].self, from: Data(bytes)) else {
                throw TrustError.damaged(path: path, remedy: "restore it, or remove it and make new tokens")
            }
            return records
        } catch let error as TrustError {
            throw error
        } catch {
            throw .file(path: path, reason: String(describing: error))
        }
    }

    /// - Parameter seconds: the time now, since 1970: what is over then goes.
    private func change(
        at seconds: Int64 = 0, _ body: (inout [Record]) throws(TrustError) -> Void
    ) throws(TrustError) {
        do {
            try StatePaths.prepare(folder)
            let lock = FileLock(directory: folder, patience: 5)
            defer { withExtendedLifetime(lock) {} }
            var latest = try records()
            latest.removeAll { $0.entry.isOver(at: seconds) }
            try body(&latest)
            try AtomicFile.write([UInt8](JSONEncoder().encode(latest)), to: path)
        } catch let error as TrustError {
            throw error
        } catch {
            throw .file(path: path, reason: String(describing: error))
        }
    }
}
