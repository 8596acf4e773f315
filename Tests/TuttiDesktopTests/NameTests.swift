import Testing
import TuttiDesktop

@Suite("Names of players on the bus") struct PlayerNameTests {
    @Test("a name is what the bus takes, whatever the group's is")
    func elements() {
        #expect(Self.name("downstairs") == "org.mpris.MediaPlayer2.tutti.downstairs")
        #expect(Self.name("Küche") == "org.mpris.MediaPlayer2.tutti.kuche")
        #expect(Self.name("Living room") == "org.mpris.MediaPlayer2.tutti.living_room")
        #expect(Self.name("kitchen+bath") == "org.mpris.MediaPlayer2.tutti.kitchen_bath")
        #expect(Self.name("2nd floor") == "org.mpris.MediaPlayer2.tutti._2nd_floor")
        #expect(Self.name("a.b/c\n\u{0}d") == "org.mpris.MediaPlayer2.tutti.a_b_c__d")
        #expect(Self.name("") == "org.mpris.MediaPlayer2.tutti")
    }

    @Test("names without a letter that the bus has are told apart by a number")
    func foreign() {
        let names = PlayerName.names(ofGroups: ["キッチン", "リビング", "🎵🎵🎵🎵"])
        #expect(Set(names.values).count == 3)
        for name in names.values { #expect(Self.isValid(name), "\(name)") }
    }

    @Test("of names that would be the same, the one that is written so keeps it")
    func collisions() {
        let names = PlayerName.names(ofGroups: ["living_room", "living room", "living-room", "living+room"])
        #expect(names["living_room"] == "org.mpris.MediaPlayer2.tutti.living_room")
        #expect(names["living-room"] == "org.mpris.MediaPlayer2.tutti.living-room")
        #expect(Set(names.values).count == 4)
        let others = PlayerName.names(ofGroups: ["living+room", "living room", "living_room"])
        #expect(others["living room"] == names["living room"], "it does not depend on the order")
        for name in names.values { #expect(Self.isValid(name), "\(name)") }
    }

    @Test("a long name is cut")
    func long() throws {
        let name = try #require(Self.name(String(repeating: "long ", count: 500)))
        #expect(name.utf8.count <= 255)
        #expect(Self.isValid(name))
    }

    private static func name(_ group: String) -> String? { PlayerName.names(ofGroups: [group])[group] }

    private static func isValid(_ name: String) -> Bool {
        let elements = name.split(separator: ".", omittingEmptySubsequences: false)
        return elements.allSatisfy { element in
            element.first.map { !$0.isNumber } == true
                && element.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || byte == 0x5F || byte == 0x2D
                }
        }
    }
}

@Suite("Addresses of files") struct FileURITests {
    @Test(
        "a path comes back from its address", arguments: ["/srv/a.flac", "/srv/Für Elise, 1%.flac", "/a b/#?&é", "/"])
    func paths(_ path: String) {
        let uri = FileURI.make(ofPath: path)
        #expect(FileURI.path(of: uri) == path)
        #expect(!uri.contains(" ") && !uri.contains("#") && uri.allSatisfy(\.isASCII))
    }

    @Test("addresses as programs write them")
    func foreign() {
        #expect(FileURI.make(ofPath: "/srv/a b.flac") == "file:///srv/a%20b.flac")
        #expect(FileURI.path(of: "FILE://localhost/srv/%41.flac") == "/srv/A.flac")
        #expect(FileURI.path(of: "file:///srv/a.flac?x#y") == "/srv/a.flac")
    }

    @Test(
        "what names no file of this host",
        arguments: [
            "", "file:", "file://", "file:/srv/a", "file://other/srv/a", "http:///srv/a", "file:///a%", "file:///a%4",
            "file:///a%zz", "file:///a%+1", "file:///a%00", "file:///%ff", "/srv/a",
        ])
    func wrong(_ uri: String) { #expect(FileURI.path(of: uri) == nil) }
}
