import Synchronization
import Testing
import TuttiHTTP
import TuttiSchema
import TuttiTrust

/// A service with a library of one track, which keeps what it was asked.
private final class LibraryService: ServiceAnswering {
    let requests = Mutex<[ControlRequest]>([])

    func answer(to request: ControlRequest) async throws(Problem) -> ControlResponse {
        requests.withLock { $0.append(request) }
        var response = ControlResponse()
        switch request.command {
        case .library:
            var listing = LibraryListing()
            var track = LibraryListing.Track(id: 7, path: "/music/a.flac", title: "A")
            (track.artwork, track.duration) = (true, 61.5)
            listing.tracks = [track]
            listing.albums = [LibraryListing.Album(id: 3, title: "B")]
            listing.names = [LibraryListing.Name(kind: "artist", id: 4, name: "C", tracks: 1)]
            listing.roots = [LibraryListing.Root(path: "/music", tracks: 1, reachable: true, scanned: nil)]
            listing.statistics = LibraryListing.Statistics()
            listing.more = false
            response.library = listing
        case .playlist:
            let inputs = [ControlInput(uri: "/a.flac", start: [1, 75])]
            response.playlists = [PlaylistListing(name: "d", tracks: 1, changed: 5, inputs: inputs)]
        default: break
        }
        return response
    }
}

@Suite("The library and playlists over HTTP") struct LibraryRouteTests {
    private let service = LibraryService()
    private let table: RouteTable

    init() throws { table = try RouteTable() }

    /// Does a request as the server does it, and gives what the service was asked last and what came of it.
    private func ask(
        _ method: String, _ target: String, _ body: String = "", permit: Permit = .all
    ) async throws -> (asked: ControlRequest?, answer: [UInt8]) {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard case .endpoint(let endpoint, let parameters) = table.match(method, "/api/v1" + parts[0]) else {
            throw Problem(.notFound, "\(method) \(target) leads nowhere")
        }
        if let schema = endpoint.body {
            let value = try #require(JSONValue(Array(body.utf8)))
            if let fault = schema.fault(in: value) { throw Problem(.invalid, fault) }
        }
        var call = Call(parameters: parameters, body: Array(body.utf8), service: service, permit: permit)
        try await GuestRule(uploads: "/state/uploads").check(endpoint, call)
        try call.take(query: parts.count > 1 ? String(parts[1]) : "", of: endpoint)
        let bytes = try await endpoint.handler(call)
        if case .json(_, let schema) = endpoint.answer {
            #expect(schema.fault(in: try #require(JSONValue(bytes))) == nil)
        }
        return (service.requests.withLock { $0.last }, bytes)
    }

    @Test(
        "each path is one question",
        arguments: [
            ("/library/search?q=moz+pia&offset=20&limit=10", .search("moz pia", LibrarySpan(offset: 20, limit: 10))),
            ("/library/albums", .list(.albums, by: .artist, LibrarySpan())),
            ("/library/albums?by=added&limit=5", .list(.albums, by: .added, LibrarySpan(limit: 5))),
            ("/library/album-artists", .list(.albumArtists, by: .artist, LibrarySpan())),
            ("/library/favourites?offset=100", .list(.favourites, by: .artist, LibrarySpan(offset: 100))),
            ("/library/albums/3", .album(3)), ("/library/names/4", .name(4, LibrarySpan())),
            ("/library/years/1959", .year(1959, LibrarySpan())), ("/library", .roots),
        ] as [(String, ControlRequest.LibraryCommand)])
    func reading(path: String, command: ControlRequest.LibraryCommand) async throws {
        #expect(try await ask("GET", path).asked == ControlRequest(.library(command)))
    }

    @Test(
        "what makes no sense is refused before the service is asked",
        arguments: [
            "/library/search", "/library/search?q=", "/library/albums?by=colour", "/library/albums?limit=0",
            "/library/albums?limit=1001", "/library/albums?offset=-1", "/library/albums/x", "/library/albums/-1",
            "/library/albums?by=title&by=title", "/library/years/9007199254740993",
        ])
    func refusals(path: String) async {
        await #expect(throws: Problem.self) { try await ask("GET", path) }
        #expect(service.requests.withLock { $0.isEmpty })
    }

    @Test("favourites and scans")
    func changes() async throws {
        let path = "/library/tracks/7/favourite"
        #expect(
            try await ask("PUT", path).asked == ControlRequest(.library(.favourite(true, ids: [7], inputs: []))))
        #expect(
            try await ask("DELETE", path).asked == ControlRequest(.library(.favourite(false, ids: [7], inputs: []))))
        #expect(try await ask("POST", "/library/scan").asked == ControlRequest(.library(.scan)))
    }

    @Test("a picture is that of a file of the track or the album")
    func pictures() async throws {
        for path in ["/library/albums/3/artwork", "/library/tracks/7/artwork?size=320"] {
            #expect(String(decoding: try await ask("GET", path).answer, as: UTF8.self) == "/music/a.flac")
        }
        await #expect(throws: Problem(.notFound, "there is no picture of it")) {
            try await ask("GET", "/library/tracks/6/artwork")
        }
    }

    @Test("playlists are kept of tracks or of a queue, and edited")
    func playlists() async throws {
        func last(_ method: String, _ path: String, _ body: String = "") async throws -> ControlRequest? {
            try await ask(method, path, body).asked
        }
        let song = ControlInput(uri: "/a.flac")
        #expect(try await last("GET", "/playlists") == ControlRequest(.playlist(.list)))
        #expect(try await last("GET", "/playlists/d%20%2F") == ControlRequest(.playlist(.show("d /"))))
        #expect(
            try await last("PUT", "/playlists/d", #"{"inputs":[{"uri":"/a.flac"}]}"#)
                == ControlRequest(.playlist(.set("d", [song]))))
        #expect(
            try await last("PUT", "/playlists/d", #"{"group":"down"}"#)
                == ControlRequest(.playlist(.save("d")), group: "down"))
        #expect(
            try await last("PATCH", "/playlists/d", #"{"name":"e"}"#)
                == ControlRequest(.playlist(.rename("d", to: "e"))))
        #expect(try await last("DELETE", "/playlists/d") == ControlRequest(.playlist(.remove("d"))))
        #expect(
            try await last("POST", "/playlists/d/tracks", #"{"inputs":[{"uri":"/a.flac"}],"index":0}"#)
                == ControlRequest(.playlist(.add("d", [song], at: 0))))
        #expect(
            try await last("DELETE", "/playlists/d/tracks/2")
                == ControlRequest(.playlist(.delete("d", entries: [2]))))
        #expect(
            try await last("POST", "/playlists/d/tracks/2/move", #"{"to":0}"#)
                == ControlRequest(.playlist(.move("d", from: 2, to: 0))))
        for body in ["{}", #"{"inputs":[],"group":"down"}"#, #"{"inputs":[{"path":"/a"}]}"#] {
            await #expect(throws: Problem.self, "\(body)") { try await ask("PUT", "/playlists/d", body) }
        }
    }

    @Test("guests see neither the library nor playlists")
    func guests() async {
        let guest = Permit(scope: .control, group: "Party")
        for (method, path) in [
            ("GET", "/library"), ("GET", "/library/albums"), ("GET", "/library/search?q=a"),
            ("GET", "/library/albums/3/artwork"), ("PUT", "/library/tracks/7/favourite"), ("GET", "/playlists"),
            ("GET", "/playlists/d"), ("DELETE", "/playlists/d"), ("POST", "/library/scan"),
        ] {
            await #expect(throws: Problem.self, "\(method) \(path)") { try await ask(method, path, permit: guest) }
        }
        #expect(service.requests.withLock { $0.isEmpty })
    }
}
