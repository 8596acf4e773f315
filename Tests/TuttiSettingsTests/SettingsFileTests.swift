import Testing
import TuttiSettings

@Suite("Files of settings")
struct SettingsFileTests {
    private static let port = Setting("port", allowed: "a number from 0 to 65535") { UInt16($0) }
    private static let mdns = Setting<Bool>(switch: "mdns")
    private static let codec = Setting<String>("codec", among: ["flac", "opus", "pcm"])
    private static let rooms = Setting(listOf: "rooms", allowed: "a list of rooms") { !$0.isEmpty }
    private static let groups = Setting(listOf: "groups.*", allowed: "a list of rooms") { !$0.isEmpty }
    private static let rules = [port.rule, mdns.rule, codec.rule, rooms.rule, groups.rule]

    private func layers(_ text: String, environment: [String: String] = [:]) throws -> SettingsLayers {
        let file = try SettingsFile(path: "s.yaml", content: Array(text.utf8))
        return try SettingsLayers(files: [file], environment: environment, rules: Self.rules)
    }

    private func complaint(_ text: String, environment: [String: String] = [:]) -> String? {
        do {
            _ = try layers(text, environment: environment).value(Self.port)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("values, lists and tables of lists are read; on and off are words")
    func values() throws {
        let layers = try layers(
            """
            # a comment
            port: 7701
            mdns: off
            rooms: [kitchen, "bath@10.0.0.7"]
            groups:
              upstairs:
                - bath
                - study
              garden: shed
            """)
        #expect(try layers.value(Self.port) == 7701)
        #expect(try layers.value(Self.mdns) == false)
        #expect(try layers.value(Self.rooms) == ["kitchen", "bath@10.0.0.7"])
        #expect(try layers.value(Self.groups.named("upstairs")) == ["bath", "study"])
        #expect(try layers.value(Self.groups.named("garden")) == ["shed"])
        #expect(try layers.value(Self.groups.named("cellar")) == nil)
        #expect(try layers.value(Self.codec) == nil)
    }

    @Test("a table of tables: names in it are listed, and what is set in one is found")
    func nestedTables() throws {
        let source = Setting("inputs.*.source", allowed: "a source") { $0.isEmpty ? nil : $0 }
        let silence = Setting("inputs.*.silence", allowed: "a number") { Double($0) }
        let rules = Self.rules + [source.rule, silence.rule]
        func layers(_ text: String) throws -> SettingsLayers {
            let file = try SettingsFile(path: "s.yaml", content: Array(text.utf8))
            return try SettingsLayers(files: [file], environment: [:], rules: rules)
        }
        let read = try layers(
            "inputs:\n  tape:\n    source: alsa:tape\n    silence: 5\n  line in:\n    source: alsa:line\n")
        #expect(read.names(of: [source.rule, silence.rule]) == ["line in", "tape"])
        #expect(try read.value(source.named("line in")) == "alsa:line")
        #expect(try read.value(silence.named("tape")) == 5)
        #expect(try read.value(silence.named("line in")) == nil)
        for wrong in ["inputs:\n  tape:\n    colour: red\n", "inputs:\n  tape: alsa:x\n", "inputs: alsa:x\n"] {
            #expect(throws: SettingsError.self) { try layers(wrong) }
        }
        // What is no table of tables stays none.
        #expect(throws: SettingsError.self) { try layers("groups:\n  a:\n    b: c\n") }
    }

    @Test("an empty file sets nothing", arguments: ["", "# nothing\n", "---\n", "\n\n"])
    func empty(text: String) throws {
        #expect(try layers(text).value(Self.port) == nil)
    }

    @Test("the command line wins over the environment, and that over the file; an empty variable sets nothing")
    func order() throws {
        let set = try layers("port: 1\n", environment: ["TUTTI_PORT": "2"])
        #expect(try set.value(Self.port, flag: "3") == 3)
        #expect(try set.value(Self.port) == 2)
        #expect(try layers("port: 1\n", environment: ["TUTTI_PORT": ""]).value(Self.port) == 1)
        #expect(try layers("", environment: ["TUTTI_ROOMS": "a, b"]).value(Self.rooms) == ["a", "b"])
    }

    @Test("earlier files win over later ones, setting by setting")
    func files() throws {
        let files = try ["port: 1\n", "port: 2\nmdns: on\n"].map {
            try SettingsFile(path: "s", content: Array($0.utf8))
        }
        let layers = try SettingsLayers(files: files, environment: [:], rules: Self.rules)
        #expect(try layers.value(Self.port) == 1)
        #expect(try layers.value(Self.mdns) == true)
    }

    @Test(
        "what is wrong is said in one line, with file, line and what is allowed",
        arguments: [
            ("\nport: 77000\n", "s.yaml:2: port: 77000 is not a number from 0 to 65535"),
            ("port:\n", "s.yaml:1: port: an empty value is not a number from 0 to 65535"),
            ("port: [1, 2]\n", "s.yaml:1: port: [1, 2] is not a number from 0 to 65535"),
            ("mdns: perhaps\n", "s.yaml:1: mdns: perhaps is not on or off"),
            ("codec: mp3\n", "s.yaml:1: codec: mp3 is not flac, opus or pcm"),
            ("port: 1\nprot: 2\n", "s.yaml:2: no such setting: prot; use codec, groups.*, mdns, port, rooms"),
            ("groups: a\n", "s.yaml:1: no such setting: groups; use codec, groups.*, mdns, port, rooms"),
            ("port: 1\nport: 2\n", "s.yaml:2: port is set twice, first on line 1"),
            ("- port\n", "s.yaml:1: not a setting; settings are lines like `name: value`"),
            ("port 7700\n", "s.yaml:1: not a setting; settings are lines like `name: value`"),
            ("rooms: [[a]]\n", "s.yaml:1: a list may contain only values"),
            (
                "groups:\n  a:\n    b: c\n",
                "s.yaml:3: no such setting: groups.a.b; use codec, groups.*, mdns, port, rooms"
            ),
            ("port: &a 1\nmdns: *a\n", "s.yaml:2: mdns: must be a value, a list of values or a table of these"),
            ("port: 1\n---\nport: 2\n", "s.yaml:3: a file may contain only one table of settings"),
        ])
    func wrong(text: String, line: String) {
        #expect(complaint(text) == line)
    }

    @Test(
        "what is no YAML is said with its line",
        arguments: ["port: 1\n\tmdns: on\n", "port: 1\nmdns: \"on\n", "port: 1\n  x: [\n"])
    func broken(text: String) throws {
        let line = try #require(complaint(text))
        #expect(
            line.hasPrefix("s.yaml:2: invalid YAML: ") || line.hasPrefix("s.yaml:3: invalid YAML: "), "\(line)")
        #expect(!line.contains("\n"))
    }

    @Test("a wrong variable, and a wrong flag, are said with their places")
    func places() throws {
        #expect(
            complaint("", environment: ["TUTTI_PORT": "x"])
                == "the environment variable TUTTI_PORT: port: x is not a number from 0 to 65535")
        let error = #expect(throws: SettingsError.self) { try layers("").value(Self.port, flag: "x") }
        #expect(error?.description == "the command line: port: x is not a number from 0 to 65535")
    }

    @Test("a file that is not there is none; one that cannot be read is an error")
    func reading() throws {
        #expect(try SettingsFile.read("/nowhere/speaker.yaml") == nil)
        let error = #expect(throws: SettingsError.self) { try SettingsFile.read("/") }
        #expect(error?.description == "cannot read /: Is a directory")
    }

    @Test("random bytes are read or refused, and nothing else happens", arguments: 0..<200 as Range<UInt64>)
    func noise(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let alphabet = Array("port: 1\n- []{}&*#\"'|>!%\t,?é\u{0}".utf8)
        let bytes = (0..<80).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return alphabet[Int(state >> 33) % alphabet.count]
        }
        do {
            try SettingsFile(path: "s", content: bytes).check(against: Self.rules)
        } catch {
            #expect(!"\(error)".isEmpty)
        }
    }
}
