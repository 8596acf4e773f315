import TuttiCore
import TuttiSchema
import TuttiTrust

/// Who may use the service, and whose the speakers are.
extension RouteTable {
    static func trust() throws -> [Endpoint] {
        var endpoints = [
            try Endpoint(.get, "/trust/rooms", "The speakers on the network, and whom each belongs to") {
                call async throws(Problem) in SpeakersAnswer(rooms: try await call.desk().speakers())
            },
            try Endpoint(.get, "/trust/tokens", "The tokens of programs and phones; not what they are") {
                call async throws(Problem) in TokensAnswer(tokens: try await call.desk().entries())
            },
            try Endpoint(
                .post, "/trust/tokens",
                "Makes a token, which is told in this answer alone; with a group it is a guest's", status: 201,
                body: .body(
                    [
                        "name": .string(lengths: 1...TokenStore.maximumNameBytes),
                        "scope": .string(among: TokenScope.allCases.map(\.rawValue)),
                        "group": .string(lengths: 1...256), "seconds": .integer(60...315_360_000),
                    ], required: ["name"])
            ) { call async throws(Problem) in try await call.makeToken() },
            Endpoint(.delete, "/trust/tokens/{token}", "Lets the holder of a token in no longer", answer: .empty) {
                call async throws(Problem) in
                try call.expectToken()
                try await call.desk().revoke(call.parameters["token"] ?? "")
                return []
            },
        ]
        for index in endpoints.indices { endpoints[index].needed = .admin }
        return endpoints
    }
}

/// Speakers.
private struct SpeakersAnswer: Codable { var rooms: [SpeakerListing] }

/// Tokens.
private struct TokensAnswer: Codable { var tokens: [TokenEntry] }

/// A token that was made.
private struct NewTokenAnswer: Codable {
    /// What its holder shows.
    var token: String
    /// How it is listed.
    var entry: TokenEntry
}

private struct NewTokenBody: Codable {
    var name: String
    var scope: TokenScope?
    var group: String?
    /// How long it is good.
    var seconds: Int64?
}

extension Call {
    fileprivate func desk() throws(Problem) -> TrustDesk {
        guard let trust else { throw Problem(.unavailable, "this server knows no tokens") }
        return trust
    }

    /// Whoever is on the service's host may use the service without a token. What he changes here would last, and let
    /// others in from elsewhere.
    ///
    /// - Throws: `.forbidden` for who shows no token.
    fileprivate func expectToken() throws(Problem) {
        guard permit.isByToken else {
            throw Problem(.forbidden, "on the service's own host, `tutti token` makes and revokes tokens")
        }
    }

    fileprivate func makeToken() async throws(Problem) -> NewTokenAnswer {
        try expectToken()
        let body: NewTokenBody = try decoded()
        if let group = body.group {
            let named = try await namedGroups()
            guard named.keys.contains(where: { Names.areSame($0, group) }) else {
                throw Problem(.notFound, "\(group): no such group; GET \(RouteTable.prefix)/groups lists them")
            }
        }
        let made = try await desk().add(
            body.name, body.scope ?? .control, group: body.group, seconds: body.seconds)
        return NewTokenAnswer(token: made.token, entry: made.entry)
    }
}
