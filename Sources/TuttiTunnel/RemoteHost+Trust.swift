package import TuttiHost
import TuttiSchema
import TuttiTrust

/// Meeting a host: whose certificate it shows, and whether the token is good there.
extension RemoteHost {
    /// What of the answer to `GET /access` matters here.
    package struct Access: Decodable, Sendable {
        package var scope: String
        package var group: String?
    }

    /// Meets a host. A certificate of this host's household is good, and one of an authority that this host knows. Any
    /// other is remembered when it is met first; after that it is the only one that is accepted.
    ///
    /// - Parameters:
    ///   - token: nil for the one that is known.
    ///   - tell: is told of a certificate that is met first.
    /// - Throws: `RemoteFailure` for a host that cannot be reached, shows another certificate than before, or refuses
    ///   the token.
    package static func meet(
        _ address: RemoteAddress, token: String?, paths: StatePaths, hosts: KnownHosts, tell: (String) -> Void
    ) async throws -> (host: RemoteHost, access: Access) {
        let known = try hosts.entries()["\(address)"]
        let token = token ?? known?.token
        guard !address.isPlain else {
            let host = RemoteHost(address: address, token: token, check: nil)
            return (host, try await host.access())
        }
        let membership = try? MembershipFolder(stateDirectory: paths.stateDirectory).existing()
        func check(_ fingerprint: String?) -> CertificateCheck {
            CertificateCheck(
                rule: .known(
                    fingerprint: fingerprint, household: membership?.household,
                    revoked: membership?.revocations.nodes ?? []))
        }
        let first = RemoteHost(address: address, token: token, check: check(known?.fingerprint))
        if let access = try await first.accessIfTrusted() { return (first, access) }
        let byAuthority = RemoteHost(address: address, token: token, check: CertificateCheck(rule: .authorities))
        if let access = try await byAuthority.accessIfTrusted() { return (byAuthority, access) }
        guard let shown = first.check?.witness.shown else {
            throw RemoteFailure("\(address): it shows no certificate; is this the address of `tutti serve --http`?")
        }
        if known?.fingerprint != nil {
            throw RemoteFailure(
                "\(address) shows another certificate than before (SHA-256 \(shown)): somebody may be in between. If "
                    + "it has a new one, use `tutti host forget \(address)`, and meet it again", exitCode: 4)
        }
        let host = RemoteHost(address: address, token: token, check: check(shown))
        let access = try await host.access()
        try hosts.change(address) { entry in
            entry = KnownHosts.Entry(token: entry?.token, fingerprint: shown)
        }
        tell("\(address) is met for the first time; its certificate is remembered (SHA-256 \(shown))")
        return (host, access)
    }

    /// What the token may do there.
    private func access() async throws -> Access {
        let answer: [UInt8]
        do {
            answer = try await bytes(Request(path: "/api/v1/access"))
        } catch let failure as RemoteFailure {
            throw failure
        } catch {
            throw RemoteFailure("\(address): the connection cannot be secured: \(error)")
        }
        guard let access: Access = JSONLine.decode(answer) else {
            throw RemoteFailure("\(address): its answer cannot be read; is it another version?")
        }
        return access
    }

    /// The same; nil if the certificate is not good.
    private func accessIfTrusted() async throws -> Access? {
        do {
            return try await access()
        } catch let failure as RemoteFailure where failure.status == nil {
            guard let check else { throw failure }
            if case .authorities = check.rule { return nil }
            guard check.witness.hasRefused else { throw failure }
            return nil
        }
    }
}
