import Testing
import TuttiDiscovery
import TuttiSpeaker

/// Other speakers with this one's key.
@Suite struct SpeakerTwinsTests {
    private static let own: Set<String> = ["10.0.0.7", "fe80::7", "127.0.0.1"]

    private static func speaker(
        _ addresses: [String], port: UInt16 = 7_700, id: String = "a", name: String = "kitchen"
    ) -> DiscoveredSpeaker {
        DiscoveredSpeaker(
            id: id, name: name, host: "h.local", addresses: addresses, port: port, version: "2", claimed: true)
    }

    @Test func aCopyIsToldOfOnce() {
        var twins = SpeakerTwins(id: "a", port: 7_700)
        let seen = [Self.speaker(["10.0.0.7"]), Self.speaker(["10.0.0.8", "fe80::8%eth0"])]
        let first = twins.news(among: seen, own: Self.own)
        #expect(first == ["10.0.0.8:7700"])
        let more = [Self.speaker(["10.0.0.7"]), Self.speaker(["10.0.0.9", "10.0.0.8", "fe80::8%eth0"])]
        let again = twins.news(among: seen + more, own: Self.own)
        #expect(again.isEmpty)
    }

    @Test func itselfAndOthersAreNone() {
        var twins = SpeakerTwins(id: "a", port: 7_700)
        let seen = [
            Self.speaker(["fe80::7%eth0"]), Self.speaker(["10.0.0.9"], id: "b"), Self.speaker([]),
            Self.speaker(["192.168.9.9", "10.0.0.7"]),
        ]
        let news = twins.news(among: seen, own: Self.own)
        #expect(news.isEmpty)
        // A second speaker on the same host is another one.
        let onThisHost = twins.news(among: [Self.speaker(["10.0.0.7"], port: 7_701)], own: Self.own)
        #expect(onThisHost == ["10.0.0.7:7701"])
    }

    @Test func whoeverAnnouncesManyFillsNoLog() {
        var twins = SpeakerTwins(id: "a", port: 7_700)
        let crowd = (1...200).map { Self.speaker(["10.1.0.\($0)"], name: "room \($0)") }
        let news = twins.news(among: crowd, own: Self.own)
        #expect(news.count == SpeakerTwins.limit)
    }
}
