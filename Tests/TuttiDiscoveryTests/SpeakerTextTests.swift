import Testing
import TuttiDiscovery

/// What stands in TXT records and in names.
@Suite struct SpeakerTextTests {
    private func parse(_ strings: [String]) -> SpeakerText {
        SpeakerText(parsing: strings.map { Array($0.utf8) })
    }

    private static let marked = {
        var clock = SpeakerClock(port: 7_700, timescale: 3, origin: "7f3a")
        clock.mark = "00ff"
        return clock
    }()

    @Test func whatIsWrittenIsRead() {
        let text = SpeakerText(id: "7f3a", name: "Küche 🎻 = gut", version: "1", isClaimed: true)
        #expect(parse(text.strings) == text)
        #expect(text.strings == ["id=7f3a", "name=Küche 🎻 = gut", "v=1", "claimed=1"])
    }

    @Test(arguments: [
        SpeakerClock(port: 7_700), SpeakerClock(port: 1, isWireless: true),
        SpeakerClock(port: 65_535, timescale: 1, origin: "7f3a", isLeading: true), marked,
        SpeakerClock(port: 7_700, isWireless: true, timescale: .max, origin: "", isLeading: false),
    ])
    func aPartInAClockIsRead(clock: SpeakerClock) {
        let text = SpeakerText(id: "7f3a", name: "hall", version: "1", isClaimed: false, clock: clock)
        #expect(parse(text.strings) == text)
    }

    @Test(arguments: [
        ["time=0"], ["time=70000"], ["time="], ["clock=0123456789abcdef", "leads=1"],
    ])
    func whereNobodyCanBeAskedThereIsNoPartInAClock(strings: [String]) {
        #expect(parse(["id=a"] + strings).clock == nil)
    }

    @Test(arguments: [
        "clock=1", "clock=0000000000000000", "clock=ghijklmnopqrstuv", "clock=-123456789abcdef", "link=7",
    ])
    func aClockThatIsNoneIsNotKnown(string: String) {
        #expect(parse(["time=7700", "leads=1", string]).clock?.timescale == nil)
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
