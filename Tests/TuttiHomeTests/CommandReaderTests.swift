import Testing
import TuttiCore
import TuttiHome
import TuttiRemote
import TuttiSchema

@Suite("Messages as commands") struct CommandReaderTests {
    private static let group = HomePlace.group("downstairs")
    private static let room = HomePlace.room("bb")

    private func read(
        _ place: HomePlace, _ word: String, _ payload: String, in model: HomeModel = House.shown()
    ) throws(CommandFault) -> HomeCommand {
        try CommandReader(model).command(at: place, word, Array(payload.utf8), isRetained: false)
    }

    private func request(_ place: HomePlace, _ word: String, _ payload: String) throws -> ControlRequest {
        try read(place, word, payload).request
    }

    @Test("transport, by the group's own name")
    func transport() throws {
        #expect(try request(Self.group, "pause", "PRESS") == ControlRequest(.pause, group: "Downstairs"))
        #expect(try request(Self.group, "resume", "x") == ControlRequest(.resume(), group: "Downstairs"))
        #expect(try request(Self.group, "next", "x") == ControlRequest(.next, group: "Downstairs"))
        var all = ControlRequest(.stop)
        all.target = .all
        #expect(try request(.service, "stop", "PRESS") == all)
    }

    @Test("volumes: a group's keeps the distances of its rooms, steps and rooms are as they are")
    func volume() throws {
        #expect(
            try request(Self.group, "volume", " 40.0\n")
                == ControlRequest(.volume(.balanced(40), room: nil), group: "Downstairs"))
        #expect(
            try request(Self.group, "volume", "-5") == ControlRequest(.volume(.by(-5), room: nil), group: "Downstairs"))
        #expect(try request(Self.room, "volume", "25") == ControlRequest(.volume(.to(25), room: "Bad")))
        #expect(try request(Self.room, "mute", "on") == ControlRequest(.mute(true, room: "Bad")))
    }

    @Test("modes, sleep and places")
    func modes() throws {
        #expect(try request(Self.group, "shuffle", "ON") == ControlRequest(.shuffle(true), group: "Downstairs"))
        #expect(try request(Self.group, "repeat", "one") == ControlRequest(.repeat(.one), group: "Downstairs"))
        #expect(try request(Self.group, "sleep", "30") == ControlRequest(.sleep(seconds: 1_800), group: "Downstairs"))
        #expect(try request(Self.group, "sleep", "0") == ControlRequest(.sleep(seconds: 0), group: "Downstairs"))
        #expect(try request(Self.group, "seek", "1:30").word == .seek)
    }

    @Test("what to play: an address or an order, in the group or room of the topic unless the order says otherwise")
    func play() throws {
        var order = PlayOrder(inputs: [ControlInput(uri: "/srv/a.flac")])
        order.groups = ["Downstairs"]
        #expect(
            try request(Self.group, "play", "/srv/a.flac")
                == ControlRequest(.play(order, name: "Downstairs", detach: true)))
        (order.groups, order.rooms) = ([], ["Bad@10.0.0.1:7700"])
        #expect(try request(Self.group, "play", "station:Jazz").word == .play)
        #expect(try request(Self.room, "say", "/srv/a.flac") == ControlRequest(.say(order, detach: true)))
        (order.rooms, order.volume) = (["study"], 30)
        #expect(
            try request(Self.group, "say", #"{"inputs":[{"uri":"/srv/a.flac"}],"rooms":["study"],"volume":30}"#)
                == ControlRequest(.say(order, detach: true)))
        let all = try request(.service, "say", "http://host/bell.mp3")
        guard case .say(let everywhere, true) = all.command else {
            Issue.record("no announcement")
            return
        }
        #expect(everywhere.rooms.count == 3 && everywhere.any == true)
    }

    @Test("a group without a name of its own plays in its rooms")
    func unnamed() throws {
        let model = House.shown(House.view(named: [:]))
        let command = try read(Self.group, "play", "/a.flac", in: model)
        guard case .play(let order, _, _) = command.request.command else {
            Issue.record("no order")
            return
        }
        #expect(order.groups.isEmpty && order.rooms == ["kitchen@10.0.0.1:7700", "Bad@10.0.0.1:7700"])
    }

    @Test(
        "what is wrong is ignored",
        arguments: [
            ("volume", "101"), ("volume", "nan"), ("volume", "inf"), ("volume", "0x10"), ("volume", "1e400"),
            ("volume", "loud"), ("volume", ""), ("mute", "maybe"), ("mute", "1"), ("repeat", "some"), ("sleep", "nan"),
            ("sleep", "-1"), ("sleep", "1441"), ("sleep", "0x1"), ("sleep", "1e999"), ("seek", "x"), ("dance", "x"),
            ("play", "song.flac"), ("play", "{"), ("play", "{}"), ("play", #"{"inputs":[]}"#),
            ("play", #"{"inputs":[{"uri":"relative"}]}"#), ("play", "/a\u{1B}[2Jb"), ("play", "/a\nb"),
            ("say", #"{"inputs":[{"uri":"/a"}],"volume":1e999}"#), ("set/volume", "1"), ("", "x"),
        ])
    func wrong(word: String, payload: String) {
        #expect(throws: CommandFault.self) { try read(Self.group, word, payload) }
    }

    @Test("nor is a message that is too long, no text, retained, or for somebody who is not there")
    func refused() {
        let long = String(repeating: "1", count: 65)
        #expect(throws: CommandFault.self) { try read(Self.group, "volume", long) }
        #expect(throws: CommandFault.self) { try read(Self.group, "play", "/" + String(repeating: "a", count: 5_000)) }
        #expect(throws: CommandFault.self) { try read(Self.group, "play", "{" + String(repeating: " ", count: 70_000)) }
        #expect(throws: CommandFault.self) { try read(.group("none"), "pause", "x") }
        #expect(throws: CommandFault.self) { try read(.room("none"), "mute", "ON") }
        #expect(throws: CommandFault.self) { try read(Self.room, "pause", "x") }
        #expect(throws: CommandFault.self) { try read(.service, "volume", "10") }
        let reader = CommandReader(House.shown())
        #expect(throws: CommandFault.self) {
            try reader.command(at: Self.group, "pause", Array("x".utf8), isRetained: true)
        }
        #expect(throws: CommandFault.self) {
            try reader.command(at: Self.group, "play", [0x2F, 0xFF, 0xFE], isRetained: false)
        }
        #expect(throws: CommandFault.self) { try read(Self.group, "pause", "x", in: House.model()) }
    }

    @Test("random topics and messages are read or refused, and nothing else happens")
    func random() {
        let parts = ["tutti", "n1", "group", "room", "downstairs", "aa", "set", "volume", "play", "homeassistant", ""]
        let bits = ["{", "}", "[", "\"inputs\":", "\"uri\":\"/a\"", "1e308", "-", "+", "\u{0}", "ä", ",", "null", "9"]
        let reader = CommandReader(House.shown())
        var generator = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let topic = (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
                parts.randomElement(using: &generator)
            }
            _ = House.topics.meaning(of: topic.joined(separator: "/"))
            let payload = (0..<Int.random(in: 0...12, using: &generator)).compactMap { _ in
                bits.randomElement(using: &generator)
            }
            let word = HomeWord.allCases.randomElement(using: &generator)?.rawValue ?? ""
            for place in [Self.group, Self.room, .service] {
                _ = try? reader.command(at: place, word, Array(payload.joined().utf8), isRetained: false)
            }
        }
        let deep = Array(("{\"inputs\":" + String(repeating: "[", count: 60_000)).utf8)
        #expect(throws: CommandFault.self) { try reader.command(at: Self.group, "play", deep, isRetained: false) }
    }

    @Test("a later volume makes an earlier one void, a step does not")
    func replacing() throws {
        #expect(try read(Self.group, "volume", "40").replaces == read(Self.group, "volume", "50").replaces)
        #expect(try read(Self.group, "volume", "40").replaces != read(Self.group, "mute", "ON").replaces)
        #expect(try read(Self.group, "volume", "+5").replaces == nil)
        #expect(try read(Self.group, "next", "x").replaces == nil)
        #expect(try read(Self.group, "say", "/a").line != read(Self.group, "next", "x").line)
    }
}
