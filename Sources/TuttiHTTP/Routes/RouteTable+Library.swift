import TuttiSchema

/// The music library. Its entries are named by their ids.
extension RouteTable {
    /// How far a list can be skipped.
    private static let offsets = 0...100_000_000

    static func library() throws -> [Endpoint] {
        var endpoints = [
            try Endpoint(.get, "/library", "How much music there is, and its folders") { call async throws(Problem) in
                var listing = try await call.library(.statistics)
                listing.roots = try await call.library(.roots).roots
                return listing
            },
            try search(),
            try Endpoint(.get, "/library/albums/{number}", "An album and its tracks") { call async throws(Problem) in
                try await call.library(.album(try call.id()))
            },
            try list("/library/names/{number}", "An artist, album artist, composer or genre, with albums and tracks") {
                call throws(Problem) in .name(try call.id(), call.span)
            },
            try list("/library/years/{number}", "The albums of a year") { call throws(Problem) in
                .year(Int(try call.id()), call.span)
            },
            Endpoint(.post, "/library/scan", "Looks for new, changed and removed files", answer: .empty) {
                call async throws(Problem) in
                _ = try await call.ask(ControlRequest(.library(.scan)))
                return []
            },
        ]
        for (isFavourite, method, summary) in [
            (true, Endpoint.Method.put, "Makes a track a favourite"), (false, .delete, "Makes it none any more"),
        ] {
            endpoints.append(
                try Endpoint(method, "/library/tracks/{number}/favourite", summary) { call async throws(Problem) in
                    try await call.library(.favourite(isFavourite, ids: [try call.id()], inputs: []))
                })
        }
        return endpoints + (try lists()) + [albumArtwork, trackArtwork]
    }

    private static func search() throws -> Endpoint {
        var endpoint = try list("/library/search", "Artists, albums and tracks in whose texts all words begin one") {
            call throws(Problem) in .search(call.texts["q"] ?? "", call.span)
        }
        endpoint.texts["q"] = 1...256
        return endpoint
    }

    private static func lists() throws -> [Endpoint] {
        let summaries: [(LibraryList, String)] = [
            (.artists, "Whoever plays"), (.albumArtists, "Whom albums are filed under"), (.composers, "Composers"),
            (.genres, "Genres"), (.years, "Years, the latest first"), (.tracks, "All tracks by title"),
            (.added, "The tracks that came last"), (.played, "The tracks that were played last"),
            (.favourites, "Favourite tracks"),
        ]
        var endpoints = try summaries.map { what, summary in
            try list("/library/\(what.rawValue)", summary) { call throws(Problem) in
                .list(what, by: .artist, call.span)
            }
        }
        var albums = try list("/library/albums", "Albums, in an order") { call throws(Problem) in
            .list(.albums, by: call.words["by"].flatMap(LibraryOrder.init) ?? .artist, call.span)
        }
        albums.words["by"] = LibraryOrder.allCases.map(\.rawValue)
        endpoints.append(albums)
        return endpoints
    }

    /// An endpoint that answers with a part of a list.
    private static func list(
        _ path: String, _ summary: String,
        _ command: @escaping @Sendable (Call) throws(Problem) -> ControlRequest.LibraryCommand
    ) throws -> Endpoint {
        var endpoint = try Endpoint(.get, path, summary) { call async throws(Problem) in
            try await call.library(try command(call))
        }
        endpoint.query = ["offset": offsets, "limit": 1...LibrarySpan.longest]
        return endpoint
    }

    // MARK: Pictures

    private static var albumArtwork: Endpoint {
        artwork("/library/albums/{number}/artwork", "The picture of an album") { call async throws(Problem) in
            try await call.library(.album(try call.id())).tracks?.first(where: \.artwork)
        }
    }

    private static var trackArtwork: Endpoint {
        artwork("/library/tracks/{number}/artwork", "The picture of a track") { call async throws(Problem) in
            let id = try call.id()
            let track = try await call.library(.all(after: id - 1, limit: 1)).tracks?.first
            return track?.id == id ? track : nil
        }
    }

    private static func artwork(
        _ path: String, _ summary: String,
        _ track: @escaping @Sendable (Call) async throws(Problem) -> LibraryListing.Track?
    ) -> Endpoint {
        var endpoint = Endpoint(
            .get, path, summary + ", about `size` pixels wide or high (80, 160, 320, 640 or 1280)", answer: .picture
        ) { call async throws(Problem) in
            guard let track = try await track(call) else { throw Problem(.notFound, "there is no picture of it") }
            return Array(track.path.utf8)
        }
        endpoint.query["size"] = 16...1_280
        endpoint.keepsPicture = true
        return endpoint
    }
}

extension Call {
    fileprivate func library(_ command: ControlRequest.LibraryCommand) async throws(Problem) -> LibraryListing {
        guard let listing = try await ask(ControlRequest(.library(command))).library else {
            throw Problem(.unavailable, "the service's answer cannot be read; is it another version?")
        }
        return listing
    }

    fileprivate var span: LibrarySpan {
        LibrarySpan(offset: query["offset"] ?? 0, limit: query["limit"] ?? LibrarySpan.usual)
    }

    /// The id of the path.
    fileprivate func id() throws(Problem) -> Int64 { Int64(try number("number")) }
}
