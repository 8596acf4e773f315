import TuttiSchema

/// Playlists that are kept by name.
extension RouteTable {
    private static let mostTracks = 20_000

    static func playlists() throws -> [Endpoint] {
        let inputs = Schema.array(try SchemaReader.schema(of: ControlInput.self).closed, counts: 0...mostTracks)
        let path = "/playlists/{name}"
        return [
            try Endpoint(.get, "/playlists", "Playlists by name; `playlist:NAME` can be given as an input") {
                call async throws(Problem) in try await call.playlists(.list)
            },
            try Endpoint(.get, path, "A playlist with its tracks") { call async throws(Problem) in
                try await call.playlist()
            },
            try Endpoint(
                .put, path, "Keeps tracks, or the queue of a group, in place of what was there",
                body: .choice(["inputs": inputs, "group": .string(lengths: 1...longestName)])
            ) { call async throws(Problem) in
                let body: PlaylistBody = try call.decoded()
                guard let inputs = body.inputs else {
                    return try await call.playlists(.save(call.name), of: body.group)
                }
                guard body.group == nil else { throw Problem(.invalid, "give inputs or a group, not both") }
                return try await call.playlists(.set(call.name, inputs))
            },
            try Endpoint(
                .patch, path, "Gives a playlist another name",
                body: .body(["name": .string(lengths: 1...longestName)], required: ["name"])
            ) { call async throws(Problem) in
                let body: NameBody = try call.decoded()
                return try await call.playlists(.rename(call.name, to: body.name))
            },
            try Endpoint(.delete, path, "Forgets a playlist") { call async throws(Problem) in
                try await call.playlists(.remove(call.name))
            },
            try Endpoint(
                .post, path + "/tracks", "Adds tracks, at the end or before a place",
                body: .body(
                    ["inputs": inputs, "index": .integer(0...Double(mostTracks))], required: ["inputs"])
            ) { call async throws(Problem) in
                let body: TracksBody = try call.decoded()
                return try await call.playlists(.add(call.name, body.inputs, at: body.index))
            },
            try Endpoint(.delete, path + "/tracks/{number}", "Takes the track of a place out; the first is 0") {
                call async throws(Problem) in
                try await call.playlists(.delete(call.name, entries: [try call.number("number")]))
            },
            try Endpoint(
                .post, path + "/tracks/{number}/move", "Moves the track of a place to another one",
                body: .body(["to": .integer(0...Double(mostTracks))], required: ["to"])
            ) { call async throws(Problem) in
                let body: PlaceBody = try call.decoded()
                return try await call.playlists(.move(call.name, from: try call.number("number"), to: body.to))
            },
        ]
    }
}

private struct PlaylistBody: Codable {
    var inputs: [ControlInput]?
    var group: String?
}

private struct NameBody: Codable { var name: String }

private struct PlaceBody: Codable { var to: Int }

private struct TracksBody: Codable {
    var inputs: [ControlInput]
    var index: Int?
}

extension Call {
    fileprivate var name: String { parameters["name"] ?? "" }

    fileprivate func playlists(
        _ command: ControlRequest.PlaylistCommand, of group: String? = nil
    ) async throws(Problem) -> PlaylistsAnswer {
        let response = try await ask(ControlRequest(.playlist(command), group: group))
        return PlaylistsAnswer(playlists: response.playlists ?? [])
    }

    fileprivate func playlist() async throws(Problem) -> PlaylistListing {
        guard let playlist = try await playlists(.show(name)).playlists.first else {
            throw Problem(.notFound, "\(name): no such playlist")
        }
        return playlist
    }
}
