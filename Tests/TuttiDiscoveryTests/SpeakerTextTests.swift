import Testing
import TuttiDiscovery

/// What stands in TXT records and in names.
@Suite struct SpeakerTextTests {
    private func parse(_ strings: [String]) -> SpeakerText {
        SpeakerText(parsing: strings.map { Array($0.utf8) })
    }

    @Test func whatIsWrittenIsRead() {
        let text = SpeakerText(id: "7f3a", name: "Küche 🎻 = gut", version: "1", isClaimed: true)
        #expect(parse(text.strings) == text)
        #expect(text.strings == ["id=7f3a", "name=Küche 🎻 = gut", "v=1", "claimed=1"])
    }

    @Test func oddStringsArePassedOver() {
        let text = parse(["novalue", "=x", "", "ID=a", "id=b", "other=1", "claimed=yes", "name=a\u{7}b\nc"])
        #expect(text == SpeakerText(id: "a", name: "abc", version: "", isClaimed: false))
    }

    @Test func bytesThatAreNoTextDoNoHarm() {
        let text = SpeakerText(parsing: [Array("name=".utf8) + [0xFF, 0x41], [0xFF, 0xFE, 0x3D], []])
        #expect(text.name == "\u{FFFD}A")
    }

    @Test func everythingIsBounded() {
        let long = String(repeating: "ü", count: 5_000)
        #expect(parse(["id=" + long]).id.utf8.count <= SpeakerText.maximumValueBytes)
        let written = SpeakerText(id: long, name: long, version: long, isClaimed: false).strings
        #expect(written.allSatisfy { $0.utf8.count <= 255 })
        let many = (0..<1_000).map { "k\($0)=v" } + ["id=late"]
        #expect(parse(many).id.isEmpty)
    }

    @Test func instanceNamesFitAndAreCutBetweenCharacters() {
        #expect(ServiceName.instance(for: "Bad & Küche") == "Bad & Küche")
        #expect(ServiceName.instance(for: "") == "Tutti")
        #expect(ServiceName.instance(for: "\u{0}\n") == "Tutti")
        let family = "👨‍👩‍👧"
        let cut = ServiceName.instance(for: String(repeating: family, count: 10))
        #expect(cut == String(repeating: family, count: 3))
        #expect(ServiceName.instance(for: String(repeating: "a", count: 64)).utf8.count == 63)
    }
}
