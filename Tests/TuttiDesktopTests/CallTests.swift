import Testing
import TuttiCore
import TuttiDesktop
import TuttiRemote
import TuttiSchema

@Suite("Calls on a player's object") struct CallTests {
    private static let own = "org.mpris.MediaPlayer2.Player"
    private static let root = "org.mpris.MediaPlayer2"
    private static let properties = "org.freedesktop.DBus.Properties"

    @Test(
        "methods become commands",
        arguments: [
            ("Next", [], .next), ("Previous", [], .previous), ("Pause", [], .pause), ("Play", [], .resume()),
            ("PlayPause", [], .toggle()), ("Stop", [], .stop), ("Seek", [.int64(5_000_000)], .seek(.by(seconds(5)))),
            ("Seek", [.int64(-99_000_000)], .seek(.by(seconds(-10)))), ("Seek", [.int64(500_000_000)], .next),
            ("Seek", [.int64(.max)], .next), ("Seek", [.int64(.min)], .seek(.by(seconds(-10)))),
            (
                "SetPosition", [.objectPath("/org/tutti/entry/7"), .int64(90_500_000)],
                .seek(.to(seconds(90.5)))
            ),
        ] as [(String, [BusValue], PlayerCommand)])
    func methods(_ name: String, _ arguments: [BusValue], _ command: PlayerCommand) throws {
        let outcome = try Self.call(name, arguments)
        #expect(outcome == .act(.command(command)))
        // The interface may be left out.
        let call = BusCall(path: MediaPlayer.path, interface: nil, member: name, arguments: arguments)
        #expect(try Self.player.outcome(of: call, at: 100) == outcome)
    }

    @Test("what cannot be done has no effect", arguments: ["Next", "Previous", "Pause", "Play", "PlayPause", "Stop"])
    func impossible(_ name: String) throws {
        #expect(try Self.call(name, [], Self.player(nil)) == .reply([]))
    }

    @Test("a position of another track, before the track or after it is ignored")
    func stalePositions() throws {
        for (track, place) in [
            ("/org/tutti/entry/8", 5), ("/org/tutti/entry/7", -1), ("/org/tutti/entry/7", 200_000_001),
            ("/org/tutti/entry/7", Int64.max), ("/org/tutti/entry/7", .min), ("/", 5),
        ] {
            #expect(
                try Self.call("SetPosition", [.objectPath(track), .int64(place)]) == .reply([]), "\(track) \(place)")
        }
        var live = Sample.status()
        live.item?.duration = nil
        #expect(try Self.call("Seek", [.int64(5)], Self.player(live)) == .reply([]))
        let last = Sample.status(index: 2)
        #expect(try Self.call("Seek", [.int64(.max)], Self.player(last)) == .reply([]))
    }

    @Test("a stopped queue is resumed by either key")
    func stopped() throws {
        let stopped = Self.player(Sample.status(.stopped))
        for name in ["Play", "PlayPause"] { #expect(try Self.call(name, [], stopped) == .act(.command(.resume()))) }
        for name in ["Pause", "Stop", "Next"] { #expect(try Self.call(name, [], stopped) == .reply([])) }
    }

    @Test("addresses")
    func addresses() throws {
        #expect(try Self.open("file:///srv/a%20b.flac") == .act(.open(ControlInput(uri: "/srv/a b.flac"))))
        #expect(try Self.open("HTTPS://radio/x") == .act(.open(ControlInput(uri: "HTTPS://radio/x"))))
        for wrong in ["", "radio", "file://other/a", "http:", "http://", "http:/x", "http://a\nb"] {
            #expect(throws: Self.invalid, "\(wrong)") { try Self.open(wrong) }
        }
        #expect(throws: Self.invalid) { try Self.open("http://" + String(repeating: "x", count: 10_000)) }
        for other in ["ftp://a/b", "smb://a", "data:,x"] {
            let fault = try #require(throws: BusFault.self) { try Self.open(other) }
            #expect(fault.name == "org.freedesktop.DBus.Error.NotSupported")
        }
    }

    @Test("arguments of wrong types, too many or too few")
    func wrongTypes() {
        let wrong: [(String, [BusValue])] = [
            ("Next", [.string("x")]), ("Seek", []), ("Seek", [.string("5")]), ("Seek", [.double(5)]),
            ("Seek", [.other(signature: "t")]), ("Seek", [.variant(.int64(5))]), ("Seek", [.int64(5), .int64(5)]),
            ("SetPosition", [.string("/org/tutti/entry/7"), .int64(5)]),
            ("SetPosition", [.int64(5), .objectPath("/org/tutti/entry/7")]), ("OpenUri", [.other(signature: "as")]),
        ]
        for (name, arguments) in wrong {
            let fault = #expect(throws: BusFault.self) { try Self.call(name, arguments) }
            #expect(fault?.name == "org.freedesktop.DBus.Error.InvalidArgs", "\(name) \(arguments)")
        }
    }

    @Test("what there is not")
    func unknown() {
        func name(_ path: String, _ interface: String?, _ member: String, _ arguments: [BusValue] = []) -> String? {
            let call = BusCall(path: path, interface: interface, member: member, arguments: arguments)
            let fault = #expect(throws: BusFault.self) { try Self.player.outcome(of: call, at: 100) }
            return (fault?.name).map { String($0.split(separator: ".").last ?? "") }
        }
        let path = MediaPlayer.path
        #expect(name(path, Self.own, "Explode") == "UnknownMethod")
        #expect(name(path, nil, "Explode") == "UnknownMethod")
        #expect(name(path, Self.root, "Next") == "UnknownMethod")
        #expect(name(path, "org.mpris.MediaPlayer2.TrackList", "GoTo") == "UnknownInterface")
        #expect(name("/elsewhere", Self.own, "Next") == "UnknownObject")
        #expect(name("/org", Self.own, "Next") == "UnknownInterface")
        #expect(name(path + "/x", Self.own, "Next") == "UnknownObject")
        #expect(name(path, Self.properties, "Get", [.string(Self.own), .string("X")]) == "UnknownProperty")
        #expect(name(path, Self.properties, "Get", [.string("x.y"), .string("X")]) == "UnknownInterface")
        #expect(name(path, Self.properties, "GetAll", [.string("")]) == "UnknownInterface")
        #expect(
            name(path, Self.properties, "Set", [.string(Self.own), .string("X"), .variant(.string("Y"))])
                == "UnknownProperty")
        for readOnly in ["Position", "PlaybackStatus", "Metadata", "CanControl"] {
            #expect(
                name(path, Self.properties, "Set", [.string(Self.own), .string(readOnly), .variant(.string("Y"))])
                    == "PropertyReadOnly")
        }
    }

    @Test("every property can be read, alone and with all others, in its own type")
    func reading() throws {
        let counts = [Self.own: 15, Self.root: 6, "org.freedesktop.DBus.Peer": 0]
        for (interface, count) in counts {
            let all = try Self.call("GetAll", [.string(interface)], of: Self.properties)
            guard case .reply(let values) = all, case .dictionary(let fields)? = values.first else {
                Issue.record("GetAll answers \(all)")
                continue
            }
            #expect(fields.count == count)
            for (name, value) in fields {
                let one = try Self.call("Get", [.string(interface), .string(name)], of: Self.properties)
                #expect(one == .reply([.variant(value)]))
                let text = try Self.introspection(MediaPlayer.path)
                #expect(text.contains("<property name=\"\(name)\" type=\"\(value.signature)\""))
            }
        }
    }

    @Test("properties that are set become commands")
    func setting() throws {
        #expect(try Self.set("LoopStatus", .string("Track")) == .act(.command(.repeat(.one))))
        #expect(try Self.set("LoopStatus", .string("Playlist")) == .act(.command(.repeat(.all))))
        #expect(try Self.set("Shuffle", .boolean(true)) == .act(.command(.shuffle(true))))
        #expect(try Self.set("Shuffle", .boolean(false)) == .reply([]), "it is not shuffled")
        #expect(try Self.set("Rate", .double(1.5)) == .act(.command(.rate(1.5))))
        #expect(try Self.set("Rate", .double(0)) == .act(.command(.pause)), "as MPRIS says")
        #expect(try Self.set("Volume", .double(0.3)) == .act(.volume(0.3)))
        #expect(try Self.set("Volume", .double(-3)) == .act(.volume(0)))
        #expect(try Self.set("Volume", .double(7)) == .act(.volume(1)))
    }

    @Test("values that are none")
    func wrongValues() {
        let wrong: [(String, BusValue)] = [
            ("LoopStatus", .string("all")), ("LoopStatus", .boolean(true)), ("Shuffle", .string("true")),
            ("Rate", .double(.nan)), ("Rate", .double(.infinity)), ("Rate", .double(-1)), ("Rate", .double(2.01)),
            ("Rate", .int64(1)), ("Volume", .double(.nan)), ("Volume", .double(-.infinity)), ("Volume", .int64(1)),
            ("Volume", .variant(.double(0.5))), ("Volume", .other(signature: "(d)")),
        ]
        for (name, value) in wrong {
            let fault = #expect(throws: BusFault.self) { try Self.set(name, value) }
            #expect(fault?.name == "org.freedesktop.DBus.Error.InvalidArgs", "\(name) \(value)")
        }
    }

    @Test("introspection leads from the root to the player, and Peer answers on the way")
    func introspection() throws {
        #expect(try Self.introspection("/").contains("<node name=\"org\"/>"))
        #expect(try Self.introspection("/org/mpris").contains("<node name=\"MediaPlayer2\"/>"))
        let text = try Self.introspection(MediaPlayer.path)
        for part in [
            Self.own, Self.root, Self.properties, "<method name=\"SetPosition\">", "<signal name=\"Seeked\">",
            "<arg name=\"Position\" type=\"x\" direction=\"in\"/>", "<method name=\"PlayPause\"/>",
            "<property name=\"Volume\" type=\"d\" access=\"readwrite\"/>",
        ] { #expect(text.contains(part), "\(part)") }
        let peer = "org.freedesktop.DBus.Peer"
        for path in ["/", "/org", MediaPlayer.path] {
            let ping = BusCall(path: path, interface: peer, member: "Ping")
            #expect(try Self.player.outcome(of: ping, at: 100) == .reply([]))
            let id = BusCall(path: path, interface: peer, member: "GetMachineId")
            #expect(try Self.player.outcome(of: id, at: 100) == .machineID)
        }
        for name in ["Raise", "Quit"] { #expect(try Self.call(name, [], of: Self.root) == .reply([])) }
    }

    // MARK: Helpers

    private static let invalid = BusFault.self
    private static var player: MediaPlayer { player(Sample.status()) }

    private static func player(_ status: PlayerStatus?) -> MediaPlayer {
        MediaPlayer(Sample.group(status), rooms: [], artwork: nil, at: 100)
    }

    private static func seconds(_ seconds: Double) -> MediaTime {
        MediaTime(seconds: seconds, preferredTimescale: 1000) ?? .zero
    }

    private static func call(
        _ name: String, _ arguments: [BusValue], _ player: MediaPlayer = player, of interface: String = own
    ) throws -> MediaPlayer.Outcome {
        try player.outcome(
            of: BusCall(path: MediaPlayer.path, interface: interface, member: name, arguments: arguments), at: 100)
    }

    private static func open(_ uri: String) throws -> MediaPlayer.Outcome { try call("OpenUri", [.string(uri)]) }

    private static func set(_ name: String, _ value: BusValue) throws -> MediaPlayer.Outcome {
        try call("Set", [.string(own), .string(name), .variant(value)], of: properties)
    }

    private static func introspection(_ path: String) throws -> String {
        let call = BusCall(path: path, interface: "org.freedesktop.DBus.Introspectable", member: "Introspect")
        guard case .reply(let values) = try player.outcome(of: call, at: 100), case .string(let text)? = values.first
        else { return "" }
        return text
    }
}
