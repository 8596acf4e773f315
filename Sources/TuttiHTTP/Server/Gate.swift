package import TuttiTrust

/// Decides who may do what, by the head of a request alone.
package struct Gate: Sendable {
    /// What a request shows of itself.
    package struct Visitor: Sendable {
        package var method: String
        /// The name that the visitor knows this host by: `Host`, or `:authority`.
        package var host: String?
        package var origin: String?
        package var authorization: String?
        /// The visitor's address.
        package var address: String

        package init(
            method: String, host: String?, origin: String? = nil, authorization: String? = nil, address: String = ""
        ) {
            self.method = method
            self.host = host
            self.origin = origin
            self.authorization = authorization
            self.address = address
        }
    }

    /// Where a server listens.
    package enum Place: Sendable, Equatable {
        /// On this host alone, in the clear, without tokens.
        case loopback
        /// On the network, with TLS and tokens.
        case network
    }

    private let place: Place
    private let names: Set<String>
    private let token: @Sendable (String) throws -> TokenEntry?
    private var limit = FailureLimit()

    /// - Parameters:
    ///   - names: what this host is called.
    ///   - token: whose a token is; nil for a text that is none, or is none any more.
    package init(
        _ place: Place, names: some Sequence<String>, token: @escaping @Sendable (String) throws -> TokenEntry?
    ) {
        self.place = place
        self.names = Set(names.map { $0.lowercased() })
        self.token = token
    }

    /// Lets a request in.
    ///
    /// - Parameters:
    ///   - scope: what it takes; nil for what everybody may see.
    ///   - now: seconds of any clock that runs evenly.
    /// - Returns: what its sender may do.
    /// - Throws: why it gets no further.
    package mutating func admit(
        _ visitor: Visitor, needing scope: TokenScope?, at now: Double
    ) throws(Problem) -> Permit {
        if let problem = misdirection(visitor) ?? foreignOrigin(visitor) { throw problem }
        guard place == .network else { return .all }
        guard let scope else { return .nothing }
        return try permit(of: visitor, scope, now)
    }

    /// Whether somebody who was let in would be let in again.
    package func stillAdmits(_ visitor: Visitor) -> Bool {
        guard place == .network else { return true }
        return (try? visitor.authorization.flatMap(Self.bearer).flatMap(token)) != nil
    }

    /// The token of the header Authorization.
    private static func bearer(_ authorization: String) -> String? {
        let words = authorization.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }

    /// A page of somebody else's may reach this host by a name of its own (DNS rebinding).
    private func misdirection(_ visitor: Visitor) -> Problem? {
        guard let host = visitor.host, let name = Self.name(of: host) else {
            return Problem(.malformed, "the header Host is missing or wrong")
        }
        guard place == .loopback, !names.contains(name), !Self.isLoopback(name) else { return nil }
        return Problem(.misdirected, "\(name) is no name of this host; use localhost or 127.0.0.1")
    }

    /// A page of somebody else's may send what changes something (CSRF).
    private func foreignOrigin(_ visitor: Visitor) -> Problem? {
        guard visitor.method != "GET", visitor.method != "HEAD", let origin = visitor.origin else { return nil }
        let own = (place == .loopback ? "http://" : "https://") + (visitor.host ?? "")
        guard origin.lowercased() != own.lowercased() else { return nil }
        return Problem(.forbidden, "a page of another origin may change nothing here")
    }

    private mutating func permit(
        of visitor: Visitor, _ scope: TokenScope, _ now: Double
    ) throws(Problem) -> Permit {
        if let wait = limit.wait(for: visitor.address, at: now) {
            var problem = Problem(.tooManyFailures, "too many wrong tokens from this address; wait \(wait) s")
            problem.retryAfter = wait
            throw problem
        }
        guard let authorization = visitor.authorization else {
            throw Problem(.unauthorized, "send `Authorization: Bearer TOKEN`; `tutti token new NAME` makes a token")
        }
        let known: TokenEntry?
        do {
            known = try Self.bearer(authorization).flatMap(token)
        } catch {
            throw Problem(.unavailable, "tokens cannot be read: \(error)")
        }
        guard let known else {
            limit.fail(visitor.address, at: now)
            throw Problem(
                .unauthorized, "this token is not known, or its time is over; `tutti token new NAME` makes one")
        }
        guard known.scope >= scope else {
            throw Problem(
                .forbidden, "this token may only \(known.scope.rawValue); make one with --scope \(scope.rawValue)")
        }
        return Permit(scope: known.scope, group: known.group, until: known.until, isByToken: true)
    }

    /// The name in `NAME`, `NAME:PORT` or `[ADDRESS]:PORT`, in lower case; nil for what is none.
    private static func name(of host: String) -> String? {
        var name = host.lowercased()
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            return String(name[...end])
        }
        if let colon = name.firstIndex(of: ":") { name = String(name[..<colon]) }
        if name.hasSuffix(".") { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    private static func isLoopback(_ name: String) -> Bool {
        if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
