import Testing
import TuttiHTTP
import TuttiTrust

extension Gate {
    fileprivate mutating func problem(of visitor: Visitor, needing scope: TokenScope?, at now: Double) -> Problem? {
        do {
            _ = try admit(visitor, needing: scope, at: now)
            return nil
        } catch {
            return error
        }
    }
}

@Suite struct GateTests {
    private func gate(_ place: Gate.Place) -> Gate {
        Gate(place, names: ["Music"]) { text in
            let words = text.split(separator: "@").map(String.init)
            let scope = words.first.flatMap { TokenScope(rawValue: $0) }
            return scope.map { TokenEntry(name: text, scope: $0, madeAt: 0, group: words.count > 1 ? words[1] : nil) }
        }
    }

    private func kind(
        _ place: Gate.Place, _ method: String = "GET", host: String? = "localhost:7780", origin: String? = nil,
        token: String? = nil, scope: TokenScope? = .listen
    ) -> Problem.Kind? {
        var gate = gate(place)
        let visitor = Gate.Visitor(
            method: method, host: host, origin: origin, authorization: token.map { "Bearer \($0)" }, address: "a")
        return gate.problem(of: visitor, needing: scope, at: 0)?.kind
    }

    @Test func whoGetsInIsToldWhatHeMayDo() throws {
        var gate = gate(.network)
        func permit(_ token: String?, _ scope: TokenScope?) throws -> Permit {
            try gate.admit(
                .init(method: "GET", host: "h", authorization: token.map { "Bearer \($0)" }), needing: scope, at: 0)
        }
        #expect(try permit("control@party", .listen) == Permit(scope: .control, group: "party", isByToken: true))
        #expect(try permit("admin", .listen) == Permit(scope: .admin, isByToken: true))
        #expect(try permit(nil, nil).group == "")
        var local = self.gate(.loopback)
        #expect(try local.admit(.init(method: "GET", host: "localhost"), needing: .control, at: 0) == .all)
        #expect(gate.stillAdmits(.init(method: "GET", host: "h", authorization: "Bearer listen")))
        #expect(!gate.stillAdmits(.init(method: "GET", host: "h", authorization: "Bearer over")))
        #expect(!gate.stillAdmits(.init(method: "GET", host: "h")))
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:80", "127.0.0.1:7780", "127.8.9.1", "[::1]:7780", "music:1", "a.localhost",
    ])
    func namesOfThisHostGetIn(_ host: String) { #expect(kind(.loopback, host: host) == nil) }

    @Test(arguments: ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:1", "10.0.0.1", "127.0.0.256"])
    func otherNamesDoNot(_ host: String) { #expect(kind(.loopback, host: host) == .misdirected) }

    @Test(arguments: [nil, "", "[::1", ":80"])
    func aMissingHostIsMalformed(_ host: String?) { #expect(kind(.loopback, host: host) == .malformed) }

    @Test func otherPagesMayReadNothingThatChangesAnything() {
        #expect(kind(.loopback, "POST", origin: "http://localhost:7780", scope: .control) == nil)
        #expect(kind(.loopback, "POST", origin: nil, scope: .control) == nil)
        for origin in ["null", "http://evil.example", "https://localhost:7780", "http://localhost", "file://"] {
            #expect(kind(.loopback, "POST", origin: origin, scope: .control) == .forbidden)
        }
    }

    @Test func theNetworkNeedsATokenOfTheScope() {
        #expect(kind(.network, host: "anything") == .unauthorized)
        #expect(kind(.network, token: "nonsense") == .unauthorized)
        #expect(kind(.network, token: "listen") == nil)
        #expect(kind(.network, "POST", token: "listen", scope: .control) == .forbidden)
        #expect(kind(.network, "POST", token: "control", scope: .control) == nil)
        #expect(kind(.network, "POST", token: "admin", scope: .control) == nil)
        #expect(kind(.network, scope: nil) == nil)
    }

    @Test func otherSchemesAreNoTokens() {
        var gate = gate(.network)
        for text in ["listen", "Basic listen", "Bearer", "Bearer  listen"] {
            let visitor = Gate.Visitor(method: "GET", host: "h", authorization: text, address: "a")
            #expect(gate.problem(of: visitor, needing: .listen, at: 0)?.kind == .unauthorized)
        }
    }

    @Test func wrongTokensAreLimitedByAddress() {
        var gate = gate(.network)
        func ask(_ token: String, _ address: String, _ time: Double) -> Problem? {
            let visitor = Gate.Visitor(
                method: "GET", host: "h", authorization: "Bearer \(token)", address: address)
            return gate.problem(of: visitor, needing: .listen, at: time)
        }
        for _ in 0..<10 { #expect(ask("wrong", "a", 0)?.kind == .unauthorized) }
        let refused = ask("wrong", "a", 0)
        #expect(refused?.kind == .tooManyFailures)
        #expect((refused?.retryAfter ?? 0) > 0)
        #expect(ask("listen", "b", 0) == nil)
        #expect(ask("listen", "a", Double(refused?.retryAfter ?? 0)) == nil)
    }

    @Test func addressesAreForgottenWhenThereAreTooMany() {
        var limit = FailureLimit()
        for number in 0..<(FailureLimit.capacity * 3) { limit.fail("\(number)", at: Double(number) / 1e6) }
        for _ in 0..<20 { limit.fail("last", at: 1) }
        #expect(limit.wait(for: "last", at: 1) != nil)
        #expect(limit.wait(for: "last", at: 1_000) == nil)
    }
}
