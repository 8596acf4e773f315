import Synchronization
import Testing
import TuttiCore
import TuttiHTTP
import TuttiSchema
import TuttiTrust

/// Answers as it is told, and keeps what it was asked.
private final class FakeService: ServiceAnswering {
    let requests = Mutex<[ControlRequest]>([])
    private let answer: @Sendable (ControlRequest) -> ControlResponse

    init(_ answer: @escaping @Sendable (ControlRequest) -> ControlResponse) { self.answer = answer }

    func answer(to request: ControlRequest) async throws(Problem) -> ControlResponse {
        requests.withLock { $0.append(request) }
        return answer(request)
    }
}

@Suite struct RouteTableTests {
    private let service = FakeService { request in
        var kitchen = RoomStatus(name: "kitchen", address: "h:1", state: .playing)
        var bath = RoomStatus(name: "bath", address: "h:2", state: .playing)
        (kitchen.volume, bath.volume) = (60, 40)
        var status = PlayerStatus(
            state: .playing, position: 0, rate: 1, queue: PlayerStatus.Queue(length: 2, index: 0),
            rooms: [kitchen, bath])
        status.group = "down"
        if request.group == "silent" {
            return ControlResponse(error: "nothing is playing", exitCode: 5)
        }
        var response = ControlResponse(status: status)
        response.room = request.room
        response.groups = ["up": ["attic"]]
        response.schedules = []
        response.queue = QueueListing(
            entries: [.init(index: 0, id: 7, uri: "a"), .init(index: 1, id: 3, uri: "b")], index: 0, repeat: .off,
            shuffle: false, consume: false, crossfade: 0)
        return response
    }

    /// Does a request as the server does it, and says what the service was asked.
    private func asked(_ method: String, _ path: String, _ body: String = "") async throws -> [ControlRequest] {
        guard case .endpoint(let endpoint, let parameters) = try RouteTable().match(method, "/api/v1" + path) else {
            Issue.record("\(method) \(path) leads nowhere")
            return []
        }
        if let schema = endpoint.body {
            let value = try #require(JSONValue(Array(body.utf8)))
            #expect(schema.fault(in: value) == nil)
        }
        let call = Call(parameters: parameters, body: Array(body.utf8), service: service)
        let bytes = try await endpoint.handler(call)
        if case .json(_, let schema) = endpoint.answer {
            #expect(schema.fault(in: try #require(JSONValue(bytes))) == nil)
        }
        return service.requests.withLock { $0 }
    }

    @Test func commandsReachTheGroupOfThePath() async throws {
        #expect(try await asked("POST", "/groups/down/pause") == [ControlRequest(.pause, group: "down")])
    }

    @Test func namesInPathsAreDecoded() async throws {
        let requests = try await asked("POST", "/groups/B%C3%BCro%20%2F%20Bad/next")
        #expect(requests == [ControlRequest(.next, group: "Büro / Bad")])
    }

    @Test func aVolumeKeepsTheBalance() async throws {
        let requests = try await asked("PUT", "/groups/down/volume", #"{"volume":50}"#)
        #expect(requests == [ControlRequest(.volume(.balanced(50), room: nil), group: "down")])
    }

    @Test func entriesAreNamedByTheirIds() async throws {
        let requests = try await asked("POST", "/groups/down/queue/3/move", #"{"to":0}"#)
        #expect(requests.contains(ControlRequest(.move(from: .id(3), to: 0), group: "down")))
    }

    @Test func aStereoPairIsOneRequest() async throws {
        let path = "/stereo-pairs/shelf%20left/shelf%20right"
        let on = ControlRequest(.stereo(left: "shelf left", right: "shelf right", isPair: true))
        #expect(try await asked("PUT", path) == [on])
        let off = ControlRequest(.stereo(left: "shelf left", right: "shelf right", isPair: false))
        #expect(try await asked("DELETE", path).last == off)
    }

    @Test func aFileForARoomsSoundIsLentToTheService() async throws {
        let match = try RouteTable().match("PUT", "/api/v1/rooms/bath/effects/file")
        guard case .endpoint(let endpoint, let parameters) = match else {
            Issue.record("leads nowhere")
            return
        }
        #expect(endpoint.file == .lent(mostBytes: 32 << 20) && endpoint.scope == .control)
        let listing = EffectsListing(room: "bath", chain: ["limit -1"], latencyMs: 3, load: 0.1)
        let service = FakeService { _ in
            var response = ControlResponse()
            response.effects = listing
            return response
        }
        var call = Call(parameters: parameters, body: [], service: service)
        call.file = "/uploads/1/room.wav"
        #expect(try await endpoint.handler(call) == JSONLine.encode(listing))
        let asked = ControlRequest(.effectsFile(room: "bath", path: "/uploads/1/room.wav"))
        #expect(service.requests.withLock { $0 } == [asked])
    }

    @Test func numbersOfAQueryAreChecked() throws {
        let known = ["size": 16...1_280]
        #expect(try Call.numbers(ofQuery: "size=640&other=x", known: known) == ["size": 640])
        #expect(try Call.numbers(ofQuery: "", known: known) == [:])
        for text in [
            "size=15", "size=1281", "size", "size=", "size=+64", "size=99999999999999999999", "size=64&size=64",
        ] {
            #expect(throws: Problem.self) { try Call.numbers(ofQuery: text, known: known) }
        }
    }

    @Test func textsOfAQueryAreChecked() throws {
        let known = ["name": 1...4]
        #expect(try Call.texts(ofQuery: "name=a+%C3%BC&other=x", known: known) == ["name": "a ü"])
        #expect(try Call.texts(ofQuery: "x=%zz", known: [:]) == [:])
        for text in ["", "name", "name=", "name=abcde", "name=a&name=b", "name=%ff", "name=%4", "NAME=a"] {
            #expect(throws: Problem.self) { try Call.texts(ofQuery: text, known: known) }
        }
    }

    @Test func aPictureIsThatOfWhatPlays() async throws {
        await #expect(throws: Problem(.notFound, "nothing plays here")) {
            try await asked("GET", "/groups/down/artwork")
        }
    }

    @Test func unknownEntriesAreNotFound() async throws {
        // Whether there is one is the player's to say, in one go with what is done to it.
        #expect(
            try await asked("DELETE", "/groups/down/queue/9").first == ControlRequest(.remove([.id(9)]), group: "down"))
        for path in ["x", "-1", "+1", "99999999999999999999"] {
            await #expect(throws: Problem.self) { try await asked("DELETE", "/groups/down/queue/\(path)") }
        }
    }

    @Test func severalSettingsAreSeveralCommands() async throws {
        let requests = try await asked(
            "PATCH", "/groups/down/queue", #"{"repeat":"one","crossfade":2.5,"normalise":"album","night":true}"#)
        #expect(requests.contains(ControlRequest(.repeat(.one), group: "down")))
        #expect(requests.contains(ControlRequest(.crossfade(2.5), group: "down")))
        #expect(requests.contains(ControlRequest(.normalise(.album), group: "down")))
        #expect(requests.contains(ControlRequest(.night(true), group: "down")))
        #expect(!requests.contains(ControlRequest(.shuffle(false), group: "down")))
    }

    @Test func tracksAreChosenAsWithTheQueue() async throws {
        let requests = try await asked("PATCH", "/groups/down/queue", #"{"audioTrack":"de","subtitle":"off"}"#)
        #expect(requests.contains(ControlRequest(.audio(.language("de")), group: "down")))
        #expect(requests.contains(ControlRequest(.subtitle(.off), group: "down")))
        for body in [#"{"audioTrack":"off"}"#, #"{"audioTrack":"0"}"#, #"{"subtitle":"german"}"#] {
            await #expect(throws: Problem.self) { try await asked("PATCH", "/groups/down/queue", body) }
        }
    }

    @Test func chaptersAreGoneTo() async throws {
        func last(_ body: String) async throws -> ControlRequest? {
            try await asked("POST", "/groups/down/chapter", body).last
        }
        #expect(try await last(#"{"number":3}"#) == ControlRequest(.chapter(.number(3)), group: "down"))
        #expect(try await last(#"{"to":"next"}"#) == ControlRequest(.chapter(.next), group: "down"))
        guard case .endpoint(let endpoint, _) = try RouteTable().match("POST", "/api/v1/groups/down/chapter") else {
            throw Problem(.notFound, "chapter")
        }
        let schema = try #require(endpoint.body)
        for body in ["{}", #"{"number":0}"#, #"{"number":3,"to":"next"}"#, #"{"to":"last"}"#, #"{"number":1e99}"#] {
            #expect(schema.fault(in: try #require(JSONValue(Array(body.utf8)))) != nil, "\(body)")
        }
    }

    @Test func seekingTakesSecondsAndSteps() async throws {
        #expect(
            try await asked("POST", "/groups/down/seek", #"{"position":61.5}"#)
                == [ControlRequest(.seek(.to(try #require(SeekTarget.time("61.5")))), group: "down")])
        let back = try await asked("POST", "/groups/down/seek", #"{"by":-10}"#).last
        #expect(back == ControlRequest(.seek(.by(-(try #require(SeekTarget.time("10"))))), group: "down"))
    }

    @Test func anOrderWithoutAPlacePlaysInTheGroup() async throws {
        let body = #"{"inputs":[{"uri":"/a.flac"}]}"#
        func rooms(_ group: String) async throws -> PlayOrder? {
            let last = try await asked("POST", "/groups/\(group)/play", body).last
            guard case .play(let order, group, true)? = last?.command else { return nil }
            return order
        }
        #expect(try await rooms("up")?.groups == ["up"])
        #expect(try await rooms("down")?.rooms == ["kitchen@h:1", "bath@h:2"])
        #expect(try await rooms("attic")?.rooms == ["attic"])
    }

    @Test func whatTheServiceRefusesIsAProblem() async throws {
        let problem = await #expect(throws: Problem.self) { try await asked("POST", "/groups/silent/pause") }
        #expect(problem?.kind == .nothingPlaying)
        #expect(problem?.exitCode == 5)
    }

    @Test func otherMethodsAndPathsAreKnown() throws {
        let table = try RouteTable()
        guard case .otherMethods(let methods) = table.match("DELETE", "/api/v1/groups/down/volume") else {
            Issue.record("a method that is none")
            return
        }
        #expect(Set(methods) == ["GET", "PUT"])
        let paths = [
            "/", "/api/v1", "/api/v1/", "/api/v2/status", "/api/v1/status/", "/api/v1//status", "/api/v1/groups//pause",
            "/api/v1/groups/%zz/pause", "/api/v1/groups/%ff/pause", "/api/v1/groups/a%00b/pause",
            "/api/v1/groups/../status/x/y", "/api/v1/groups/\(String(repeating: "x", count: 300))/pause",
        ]
        for path in paths {
            guard case .nothing = table.match("POST", path) else {
                Issue.record("\(path) leads somewhere")
                continue
            }
        }
    }

    @Test func everyExitStatusHasAProblem() {
        let statuses = [1: 409, 2: 422, 3: 404, 4: 409, 5: 409]
        for (code, status) in statuses {
            let problem = Problem(ControlResponse(error: "x", exitCode: Int32(code)))
            #expect(problem.kind.status == status)
            #expect(Problem.schema.fault(in: problem.document) == nil)
        }
    }
}
