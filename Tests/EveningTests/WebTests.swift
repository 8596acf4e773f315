import Foundation
import Glibc
import Testing

/// A household over HTTP, through the real programs: music plays in one room while everything else is tried.
@Suite(.serialized) struct WebTests {
    private let evening: Evening
    private let web: WebClient
    private let path = "/api/v1/groups/living%20room"

    init() throws {
        let port = try FreePort.next()
        evening = try Evening(http: port)
        web = WebClient(port: port)
        try waitForWeb()
        let room = "\(Evening.music)@127.0.0.1:\(try #require(evening.ports[Evening.music]))"
        let answer = try web.ask("POST", path + "/play", order(["long.wav", "song.wav", "gong.wav"], in: room))
        try #require(answer.status == 200, "\(answer.body) \(evening.log("serve"))")
    }

    private static let room = "/api/v1/rooms/living%20room"

    private func order(_ files: [String], in room: String? = nil) -> String {
        let inputs = files.map { "{\"uri\":\"\(evening.folder)/\($0)\"}" }.joined(separator: ",")
        return "{\"inputs\":[\(inputs)]" + (room.map { ",\"rooms\":[\"\($0)\"]" } ?? "") + "}"
    }

    /// Waits until the service answers over HTTP.
    private func waitForWeb() throws {
        let deadline = ContinuousClock.now + .seconds(90)
        while (try? web.ask("GET", "/api/v1/schedules").status) != 200 {
            try #require(ContinuousClock.now < deadline, "HTTP is served: \(evening.log("serve"))")
            usleep(50_000)
        }
    }

    private func status() throws -> [String: Any] { try web.ask("GET", path + "/status").object }

    /// Whether music plays, or does so in a moment: after an edit the rooms' buffers may be filled first.
    private func isPlaying() throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while try status()["state"] as? String != "playing" {
            guard ContinuousClock.now < deadline else { return false }
            usleep(50_000)
        }
        return true
    }

    @Test func whatTheCommandLineSaysIsWhatHTTPSays() throws {
        let answer = try web.ask("GET", "/api/v1/status")
        let group = try #require((answer.object["groups"] as? [[String: Any]])?.first)
        let line = try JSONSerialization.jsonObject(with: Data(try evening.tutti("status", "--json").output.utf8))
        let command = try #require(line as? [String: Any])
        #expect(Set(group.keys) == Set(command.keys))
        #expect(group["queue"] as? [String: AnyHashable] == command["queue"] as? [String: AnyHashable])
        #expect(answer.headers["content-type"] == "application/json")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
    }

    @Test func transportAndQueue() throws {
        #expect(try web.ask("POST", path + "/pause").object["state"] as? String == "paused")
        #expect(try web.ask("POST", path + "/toggle").object["state"] as? String == "playing")
        #expect(try web.ask("POST", path + "/seek", "{\"position\":100}").status == 200)
        #expect((try status()["position"] as? Double ?? 0) >= 99)
        #expect(try web.ask("POST", path + "/seek", "{\"position\":5000}").status == 422)
        func entries() throws -> [[String: Any]] {
            try web.ask("GET", path + "/queue").object["entries"] as? [[String: Any]] ?? []
        }
        let ids = try entries().compactMap { $0["id"] as? Int }
        try #require(ids.count == 3)
        #expect(try web.ask("POST", path + "/queue/\(ids[2])/move", "{\"to\":1}").status == 200)
        #expect(try entries().compactMap { $0["id"] as? Int } == [ids[0], ids[2], ids[1]])
        let next = String(order(["song.wav"]).dropLast()) + ",\"next\":true}"
        #expect(try web.ask("POST", path + "/queue", next).status == 200)
        #expect(try entries().count == 4)
        #expect(try web.ask("DELETE", path + "/queue/\(ids[1])").status == 200)
        #expect(try web.ask("DELETE", path + "/queue/\(ids[1])").status == 404)
        let replaced = try web.ask("PUT", path + "/queue/\(ids[2])", "{\"uri\":\"\(evening.folder)/song.wav\"}")
        #expect(replaced.status == 200, "\(replaced.body)")
        let modes = try web.ask("PATCH", path + "/queue", "{\"repeat\":\"all\",\"crossfade\":2}")
        #expect(modes.object["repeat"] as? String == "all" && modes.object["crossfade"] as? Double == 2)
        #expect(try web.ask("PUT", path + "/volume", "{\"volume\":30}").object["volume"] as? Double == 30)
        #expect(try web.ask("PATCH", Self.room, "{\"muted\":true}").object["muted"] as? Bool == true)
        #expect(try web.ask("PUT", path + "/sleep", "{\"seconds\":600}").status == 200)
        #expect(try web.ask("DELETE", path + "/sleep").status == 204)
        let later = order(["gong.wav"], in: evening.address(of: "kitchen"))
        let schedule = try web.ask(
            "POST", "/api/v1/schedules", "{\"when\":\"in 2h\",\"group\":\"later\",\"order\":\(later)}")
        try #require(schedule.status == 201, "\(schedule.body)")
        let number = try #require((schedule.object["schedules"] as? [[String: Any]])?.first?["number"] as? Int)
        #expect(try web.ask("DELETE", "/api/v1/schedules/\(number)").status == 204)
        let rooms = "{\"rooms\":[\"\(evening.address(of: "bath"))\"]}"
        #expect(try web.ask("PUT", "/api/v1/groups/down", rooms).status == 200)
        #expect(try web.ask("DELETE", "/api/v1/groups/down").status == 200)
        #expect(try web.ask("DELETE", "/api/v1/groups/down").status == 404)
        #expect(try isPlaying())
    }

    /// What is wrong, and the status that says so; below the group's path.
    private static let wrong: [(method: String, end: String, body: String, status: Int)] = [
        ("POST", "/seek", "{", 400), ("POST", "/seek", "{}", 422), ("POST", "/seek", "{\"position\":\"1\"}", 422),
        ("POST", "/seek", "{\"position\":1,\"by\":1}", 422), ("PUT", "/volume", "{\"volume\":101}", 422),
        ("PUT", "/volume", "{\"volume\":1e400}", 400), ("PUT", "/rate", "{\"rate\":9}", 422),
        ("PATCH", "/queue", "{\"repeat\":\"some\"}", 422), ("POST", "/queue", "{\"inputs\":[]}", 422),
        ("POST", "/queue/77/jump", "", 404), ("POST", "/queue/x/jump", "", 404), ("DELETE", "/volume", "", 405),
        ("POST", "/dance", "", 404), ("PUT", "/reference", "{\"room\":\"nowhere\"}", 404),
        ("POST", "/play", "{\"inputs\":[{\"uri\":\"/none.flac\"}]}", 404),
    ]

    @Test func whatIsWrongIsRefusedAndTheMusicPlaysOn() throws {
        for (method, end, body, status) in Self.wrong {
            let answer = try web.ask(method, path + end, body)
            #expect(answer.status == status, "\(method) \(end) \(body): \(answer.body)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect((answer.object["detail"] as? String)?.isEmpty == false)
        }
        #expect(try isPlaying())
    }

    @Test func strangersAreRefused() throws {
        let pause = path + "/pause"
        #expect(try web.ask("GET", "/api/v1/status", headers: ["Host": "evil.example"]).status == 421)
        #expect(try web.ask("POST", pause, headers: ["Origin": "http://evil.example"]).status == 403)
        #expect(try web.ask("POST", pause, headers: ["Origin": "null"]).status == 403)
        let text = ["Content-Type": "text/plain"]
        #expect(try web.ask("PUT", path + "/rate", "{\"rate\":1}", headers: text).status == 415)
        #expect(try web.ask("GET", "/assets/..%2f..%2fetc%2fpasswd").status == 404)
        let huge = try web.ask("POST", path + "/queue", "", headers: ["Content-Length": "99999999"])
        #expect(huge.status == 413)
        let chunk = String(repeating: " ", count: 1 << 20)
        let connection = try WebConnection(port: web.port)
        connection.send(
            "POST \(path)/queue HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<8 { connection.send("100000\r\n\(chunk)\r\n") }
        #expect(try connection.head().status == 413)
        #expect(try isPlaying())
    }

    @Test func aSecondClientSeesWhatTheFirstOneDoes() throws {
        let events = try WebEvents(port: web.port)
        let first = events.next()
        #expect(first?.name == "reset")
        #expect(try web.ask("POST", path + "/pause").status == 200)
        let paused = events.next { $0.name == "progress" && $0.data.contains("\"state\":\"paused\"") }
        let seen = try #require(paused)
        #expect(try web.ask("PATCH", path + "/queue", "{\"consume\":true}").status == 200)
        let changed = events.next { $0.name == "changed" && $0.data.contains("\"what\":\"queue\"") }
        #expect(changed != nil)
        // Who was away gets what it missed, from there on.
        let again = try WebEvents(port: web.port, after: seen.id)
        let missed = again.next { $0.name == "changed" && $0.data.contains("\"what\":\"queue\"") }
        #expect(missed != nil)
        let stranger = try WebEvents(port: web.port, after: "1-99999999")
        let told = stranger.next()
        #expect(told?.name == "reset")
        #expect(try web.ask("POST", path + "/resume").status == 200)
    }

    @Test func theMusicOutlivesTheWebServerAndTheService() throws {
        let events = try WebEvents(port: web.port)
        let before = events.next()
        // The web server dies: it comes back, and tells listeners to read anew.
        let child = try #require(evening.webProcess())
        kill(child, SIGKILL)
        try waitForWeb()
        #expect(evening.webProcess() != child)
        #expect(try isPlaying())
        let after = try WebEvents(port: web.port, after: before?.id)
        let fresh = after.next()
        #expect(before?.name == "reset" && fresh?.name == "reset")
        // The service dies: its web server goes too, and both come back.
        evening.killService()
        try evening.serve()
        try waitForWeb()
        let deadline = ContinuousClock.now + .seconds(20)
        while try !isPlaying() {
            try #require(ContinuousClock.now < deadline, "the music resumes: \(evening.log("serve"))")
            usleep(50_000)
        }
    }
}
