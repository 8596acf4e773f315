import Testing
import TuttiCore
import TuttiHTTP
import TuttiSchema
import TuttiTrust

/// Two groups that play, and one room besides.
private struct TwoGroups: ServiceAnswering {
    func answer(to request: ControlRequest) async throws(Problem) -> ControlResponse {
        let rooms = ["party": ["hall", "kitchen"], "attic": ["attic"]]
        let statuses = rooms.map { name, rooms in
            var status = PlayerStatus(
                state: .playing, position: 0, rate: 1, queue: PlayerStatus.Queue(length: 1, index: 0),
                rooms: rooms.map { RoomStatus(name: $0, address: "h:1", state: .playing) })
            status.group = name
            return status
        }
        var response = ControlResponse(status: statuses.first { $0.group == request.group })
        response.playing = statuses
        response.notices = ["the alarm at seven will not play"]
        response.groups = rooms.mapValues { $0.map { $0 + "@h" } }
        response.queue = QueueListing(
            entries: [], index: nil, repeat: .off, shuffle: false, consume: false, crossfade: 0)
        response.room = request.room
        if case .levels(let room) = request.command {
            let names = room.map { [$0] } ?? ["hall", "kitchen", "attic", "shed"]
            let levels = names.map { RoomStatus(name: $0, address: "h:1", state: .idle) }
            response.status = PlayerStatus(
                state: .stopped, position: 0, rate: 0, queue: PlayerStatus.Queue(length: 0, index: 0), rooms: levels)
        }
        if response.status == nil { response.status = statuses.first { $0.group == "party" } }
        if case .say(let order, _) = request.command { response.status?.group = order.groups.joined() }
        return response
    }
}

@Suite("Guests, whose tokens are for one group") struct GuestTests {
    private let table: RouteTable
    init() throws { table = try RouteTable() }

    /// What a guest of the party gets.
    private func ask(_ method: String, _ path: String, _ body: String = "") async throws(Problem) -> JSONValue? {
        guard case .endpoint(let endpoint, let parameters) = table.match(method, "/api/v1" + path) else {
            throw Problem(.notFound, "\(method) \(path) leads nowhere")
        }
        let call = Call(
            parameters: parameters, body: Array(body.utf8), service: TwoGroups(),
            permit: Permit(scope: .control, group: "Party"))
        try await GuestRule(uploads: "/state/uploads").check(endpoint, call)
        return JSONValue(try await endpoint.handler(call))
    }

    private func names(_ value: JSONValue?, _ list: String, _ name: String) -> [String] {
        guard case .array(let elements)? = value?[list] else { return [] }
        return elements.compactMap { $0[name]?.text }.sorted()
    }

    @Test func theySeeTheirGroupAndItsRooms() async throws {
        let status = try await ask("GET", "/status")
        #expect(names(status, "groups", "group") == ["party"] && status?["notices"] == nil)
        #expect(names(try await ask("GET", "/groups"), "groups", "name") == ["party"])
        #expect(names(try await ask("GET", "/rooms"), "rooms", "name") == ["hall", "kitchen"])
        #expect(try await ask("GET", "/access")?["group"]?.text == "Party")
        #expect(try await ask("GET", "/rooms/hall")?["name"]?.text == "hall")
        #expect(try await ask("GET", "/groups/PARTY/queue") != nil)
    }

    @Test(
        "they control it",
        arguments: [
            ("POST", "/groups/party/pause", ""), ("PUT", "/groups/party/volume", #"{"volume":3}"#),
            ("PATCH", "/rooms/kitchen", #"{"by":3,"muted":false}"#), ("DELETE", "/groups/party/queue", ""),
            ("POST", "/groups/party/queue", #"{"inputs":[{"uri":"HTTPS://radio.example/a"}]}"#),
            ("POST", "/groups/party/play", #"{"inputs":[{"uri":"/state/uploads/1/a.flac"}]}"#),
            ("PUT", "/groups/party/queue/3", #"{"uri":"/state/uploads/1/a.flac"}"#),
            ("POST", "/groups/party/queue/3/move", #"{"to":0}"#), ("PUT", "/groups/party/sleep", #"{"seconds":60}"#),
            ("POST", "/say", #"{"inputs":[{"uri":"/state/uploads/1/a.flac"}],"groups":["party"]}"#),
        ])
    func allowed(_ method: String, _ path: String, _ body: String) async throws {
        #expect(try await ask(method, path, body) != nil)
    }

    @Test func whatTheyAnnounceIsForTheirGroup() async throws {
        let answer = try await ask("POST", "/say", #"{"inputs":[{"uri":"/state/uploads/1/a.flac"}]}"#)
        #expect(answer?["group"]?.text == "Party")
    }

    @Test(
        "and nothing else",
        arguments: [
            ("POST", "/pause", ""), ("POST", "/stop", ""), ("GET", "/schedules", ""), ("DELETE", "/schedules/1", ""),
            ("POST", "/schedules", #"{"when":"07:00","order":{"inputs":[{"uri":"http://a"}]}}"#),
            ("GET", "/groups/attic", ""), ("GET", "/groups/attic/status", ""), ("GET", "/groups/attic/queue", ""),
            ("GET", "/groups/attic/artwork", ""), ("POST", "/groups/attic/pause", ""),
            ("PUT", "/groups/party", #"{"rooms":["shed"]}"#), ("DELETE", "/groups/party", ""),
            ("POST", "/groups/party/rooms", #"{"rooms":["shed"]}"#), ("DELETE", "/groups/party/rooms/hall", ""),
            ("PUT", "/groups/party/reference", #"{"room":null}"#), ("GET", "/rooms/shed", ""),
            ("PATCH", "/rooms/attic", #"{"by":3}"#), ("PATCH", "/rooms/hall", #"{"outputDelayMs":3}"#),
            ("POST", "/groups/party/play", #"{"inputs":[{"uri":"http://a"}],"rooms":["shed"]}"#),
            ("POST", "/groups/party/play", #"{"inputs":[{"uri":"http://a"}],"groups":["party","attic"]}"#),
            ("POST", "/groups/party/play", #"{"inputs":[{"uri":"/home/anna/diary.wav"}]}"#),
            ("POST", "/groups/party/queue", #"{"inputs":[{"uri":"http://a"},{"uri":"/state/uploads/../a.wav"}]}"#),
            ("PUT", "/groups/party/queue/3", #"{"uri":"/state/uploads"}"#),
            ("POST", "/groups/party/play", #"{"inputs":[{"uri":"http://a"}],"reference":"hall"}"#),
            ("POST", "/say", #"{"inputs":[{"uri":"http://a"}],"groups":["attic"]}"#),
            ("POST", "/say", #"{"inputs":[{"uri":"http://a"}],"rooms":["hall"]}"#),
            ("GET", "/rooms/hall/effects", ""), ("PUT", "/rooms/hall/effects", #"{"edit":"chain","setting":"off"}"#),
            ("PUT", "/rooms/hall/effects/file", ""), ("PUT", "/stereo-pairs/hall/kitchen", ""),
            ("DELETE", "/stereo-pairs/hall/kitchen", ""),
        ])
    func refused(_ method: String, _ path: String, _ body: String) async {
        let problem = await #expect(throws: Problem.self) { try await ask(method, path, body) }
        #expect(problem?.kind == .forbidden)
    }

    @Test("an endpoint that nobody has thought of is closed to them")
    func everyEndpoint() async {
        var open: Set<String> = []
        for endpoint in table.endpoints {
            let call = Call(
                parameters: ["group": "party", "room": "hall", "entry": "1", "number": "1"], body: [],
                service: TwoGroups(), permit: Permit(scope: .control, group: "party"))
            if (try? await GuestRule(uploads: "/u").check(endpoint, call)) != nil, !endpoint.path.hasPrefix("/groups/{")
            {
                open.insert("\(endpoint.method.rawValue) \(endpoint.path)")
            }
        }
        #expect(
            open == [
                "GET /status", "GET /access", "GET /openapi.json", "GET /groups", "GET /rooms", "POST /uploads",
                "POST /say", "GET /rooms/{room}", "PATCH /rooms/{room}",
            ])
    }
}
