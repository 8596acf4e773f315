import Foundation
import Testing
import TuttiAssets
import TuttiCore

@Suite("What live sources say")
struct TagParserTests {
    private func says(_ parser: any TagParser, _ text: String, in pieces: Int = .max) -> [TagEvent] {
        var (parser, events, rest) = (parser, [TagEvent](), Array(text.utf8)[...])
        while !rest.isEmpty {
            events += parser.take(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return events
    }

    // MARK: Lines

    @Test("Lines make a set that an empty one ends, in whatever pieces they come", arguments: [1, 3, 1_000])
    func lines(pieces: Int) {
        let text = """
            title=Blue in Green\r
            artist= Miles Davis
            artist=Bill Evans
            album=Kind of Blue
            year=1959
            nonsense
            art=/music/cover.jpg


            title=So = What

            title=


            """
        #expect(
            says(TagLines(), text, in: pieces) == [
                .says(
                    SaidTags(
                        title: "Blue in Green", artist: "Miles Davis, Bill Evans", album: "Kind of Blue",
                        picture: .file("/music/cover.jpg"))),
                .says(SaidTags(title: "So = What")), .says(nil),
            ])
    }

    @Test("A long line is left out, and what follows it is read")
    func longLine() {
        let events = says(TagLines(), "title=" + String(repeating: "x", count: 50_000) + "\nartist=A\n\n")
        #expect(events.count == 2 && events.last == .says(SaidTags(artist: "A")), "\(events)")
    }

    @Test("A set ends with whoever wrote it")
    func end() {
        var parser = TagLines()
        #expect(parser.take(Array("title=A\nalbum=B".utf8)).isEmpty)
        #expect(parser.end() == [.says(SaidTags(title: "A", album: "B"))])
        #expect(parser.end().isEmpty)
    }

    @Test(
        "Pictures are paths and addresses",
        arguments: [
            ("/a b", .file("/a b")), ("file:///a%20b/%C3%A4", .file("/a b/ä")),
            ("https://a/b", .address("https://a/b")),
            ("HTTP://a/b", .address("HTTP://a/b")), ("a", nil), ("file://host/a", nil), ("file:///%0", nil),
            ("file:///%00", nil), ("data:x", nil),
        ] as [(String, SaidTags.Picture?)])
    func pictures(text: String, picture: SaidTags.Picture?) {
        #expect(says(TagLines(), "title=A\nart=\(text)\n\n") == [.says(SaidTags(title: "A", picture: picture))])
    }

    // MARK: shairport-sync

    private func item(_ type: String, _ code: String, _ data: [UInt8] = []) -> String {
        func hex(_ word: String) -> String { word.utf8.map { String(format: "%02x", $0) }.joined() }
        let head = "<item><type>\(hex(type))</type><code>\(hex(code))</code><length>\(data.count)</length>"
        return data.isEmpty
            ? head + "</item>\n"
            : head + "\n<data encoding=\"base64\">\n" + Data(data).base64EncodedString(options: .lineLength76Characters)
                + "</data></item>\n"
    }

    private func track(_ title: String, _ album: String, stamp: String) -> String {
        item("ssnc", "mdst", Array(stamp.utf8)) + item("core", "asal", Array(album.utf8))
            + item("core", "asar", Array("Nina".utf8)) + item("core", "asaa", Array("Various".utf8))
            + item("core", "minm", Array(title.utf8)) + item("core", "astm", [0, 0, 1, 1])
            + item("ssnc", "mden", Array(stamp.utf8))
    }

    private func picture(_ bytes: [UInt8], stamp: String) -> String {
        item("ssnc", "pcst", Array(stamp.utf8)) + item("ssnc", "PICT", bytes) + item("ssnc", "pcen", Array(stamp.utf8))
    }

    @Test("shairport-sync's items make tracks with pictures, in whatever pieces they come", arguments: [1, 7, 100_000])
    func shairport(pieces: Int) {
        let (one, two) = ([UInt8](repeating: 0xAB, count: 1_000), [UInt8](repeating: 1, count: 2))
        let text =
            "garbage>" + item("ssnc", "pbeg") + track("A", "X", stamp: "1") + picture(one, stamp: "1")
            // The same album keeps its picture, another one does not, and one that came before its track is that's.
            + track("B", "X", stamp: "2") + track("C", "Y", stamp: "3") + picture(two, stamp: "4")
            + track("D", "Z", stamp: "4") + track("D", "Z", stamp: "4") + item("ssnc", "pend") + item("ssnc", "pend")
        func tags(_ title: String, _ album: String, _ bytes: [UInt8]?) -> TagEvent {
            .says(SaidTags(title: title, artist: "Nina", album: album, picture: bytes.map { .bytes($0) }))
        }
        #expect(
            says(ShairportTags(), text, in: pieces) == [
                tags("A", "X", nil), tags("A", "X", one), tags("B", "X", one), tags("C", "Y", nil), tags("C", "Y", two),
                tags("D", "Z", two), .says(nil),
            ])
    }

    @Test("A picture that is too large is left out with one line, and so are items that never end")
    func hugePicture() {
        let head = "<item><type>73736e63</type><code>50494354</code><length>1</length><data encoding=\"base64\">"
        var parser = ShairportTags()
        var events = parser.take(Array(head.utf8))
        let piece = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
        for _ in 0..<20 { events += parser.take(piece) }
        events += parser.take(Array(("</data></item>" + track("A", "X", stamp: "1")).utf8))
        #expect(events.count == 2, "\(events)")
        #expect(events.last == .says(SaidTags(title: "A", artist: "Nina", album: "X")))
    }

    // MARK: Whatever comes

    @Test("Random and damaged bytes break nothing", arguments: 0..<200)
    func fuzz(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let good = track("Title", "Album", stamp: "77") + picture([1, 2, 3], stamp: "77") + "title=A\nart=/b\n\n"
        var bytes = seed % 2 == 0 ? [] : Array(good.utf8)
        if seed % 2 == 0 {
            let alphabet = Array("<>/=itemdata \n\r\"64%".utf8)
            for _ in 0..<4_000 {
                bytes.append(
                    random.next() % 3 == 0
                        ? UInt8(truncatingIfNeeded: random.next())
                        : alphabet[Int(random.next() % UInt64(alphabet.count))])
            }
        } else {
            for _ in 0..<Int(random.next() % 20) {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes[place...].prefix(30), at: place)
                }
            }
        }
        for kind in [TagAddress.Kind.shairport, .lines] {
            var (parser, rest) = (kind.parser, bytes[...])
            while !rest.isEmpty {
                let count = Int(random.next() % 300) + 1
                _ = parser.take(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            _ = parser.end()
            // Whatever came before, what comes then is read.
            let events = parser.take(
                Array((kind == .lines ? "title=Z\n\n" : "></item>" + track("Z", "Z", stamp: "1")).utf8))
            guard case .says(let tags)? = events.last else {
                Issue.record("\(kind): \(events)")
                continue
            }
            #expect(tags?.title == "Z")
        }
    }

    @Test(
        "Addresses of the settings",
        arguments: [
            ("shairport-sync:/tmp/x", .shairport, "/tmp/x", false), ("lines:/run/a b", .lines, "/run/a b", false),
            ("lines:/run/x?listen", .lines, "/run/x", true),
        ] as [(String, TagAddress.Kind, String, Bool)])
    func address(text: String, kind: TagAddress.Kind, path: String, listens: Bool) throws {
        let address = try #require(TagAddress(text))
        #expect((address.kind, address.path) == (kind, path) && address.listens == listens)
    }

    @Test(
        "What is no address of the settings",
        arguments: ["", "lines", "lines:", "lines:x", "lines:/", "shairport-sync:/x?listen", "lines:/x?a", "mpd:/x"])
    func noAddress(text: String) { #expect(TagAddress(text) == nil) }
}
