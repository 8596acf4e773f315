import TestSupport
import Testing
import TuttiDiscovery

/// Publishing and browsing through a real Avahi daemon.
@Suite(
    "Avahi", .serialized, .repeatedWhenDisturbed,
    .enabled(if: AvahiFixture.obstacle == nil, "Avahi tests skipped: \(AvahiFixture.obstacle ?? "")"),
    .timeLimit(.minutes(2)))
struct AvahiTests {
    private let fixture: AvahiFixture

    init() throws { fixture = try AvahiFixture() }

    private func record(_ name: String, id: String = "id-1") -> SpeakerRecord {
        SpeakerRecord(id: id, name: name, port: 7_700, version: "1", isClaimed: false)
    }

    private func run() async throws {
        try fixture.startBus()
        try fixture.startDaemon()
    }

    /// The publisher's name once it is published.
    private func publishedName(_ publisher: SpeakerPublisher) async throws -> String {
        while true {
            if case .published(let name) = publisher.state { return name }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func wait(_ publisher: SpeakerPublisher, for state: PublisherState) async throws {
        while publisher.state != state { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test func withoutADaemonBrowsingFailsAtOnceAndPublishingWaits() async throws {
        #expect(throws: DiscoveryError.daemonNotRunning) { try SpeakerBrowser.browse() }
        let publisher = try SpeakerPublisher(record("kitchen"))
        try await wait(publisher, for: .waiting(.daemonNotRunning))
        try fixture.startBus()
        await #expect(throws: DiscoveryError.daemonNotRunning) {
            try await SpeakerBrowser.find(names: ["kitchen"], timeout: .seconds(1))
        }
        #expect(publisher.state == .waiting(.daemonNotRunning))
        try fixture.startDaemon()
        #expect(try await publishedName(publisher) == "kitchen")
    }

    @Test(arguments: ["Küche & Bad", "居間 🎻", "two  spaces", String(repeating: "long ", count: 40) + "end"])
    func aSpeakerIsFoundWithAllThatItSays(name: String) async throws {
        try await run()
        let publisher = try SpeakerPublisher(record(name))
        #expect(try await publishedName(publisher) == ServiceName.instance(for: name))
        let found = try await SpeakerBrowser.find(names: [name], timeout: .seconds(20))
        let speaker = try #require(found.first)
        #expect(found.count == 1)
        #expect(speaker.id == "id-1" && speaker.name == name && speaker.port == 7_700 && speaker.version == "1")
        #expect(!speaker.claimed)
        #expect(speaker.host == "testhost.local")
        #expect(speaker.addresses.first?.contains(":") == false)
    }

    @Test func allAddressesComeInOrderAndWithTheirScope() async throws {
        try await run()
        let publisher = try SpeakerPublisher(record("kitchen"))
        _ = try await publishedName(publisher)
        var speaker = try #require(await SpeakerBrowser.find(names: [], timeout: .seconds(20)).first)
        #expect(speaker.addresses.first == AvahiFixture.address)
        // The daemon publishes this one once the interface has found it to be unique.
        for _ in 0..<10 where !speaker.addresses.contains(where: { $0.hasPrefix("fe80:") }) {
            try await Task.sleep(for: .milliseconds(500))
            speaker = try #require(await SpeakerBrowser.find(names: [], timeout: .seconds(20)).first)
        }
        let linkLocal = speaker.addresses.filter { $0.hasPrefix("fe80:") }
        #expect(!linkLocal.isEmpty)
        #expect(linkLocal.allSatisfy { $0.split(separator: "%").count == 2 })
    }

    @Test func aNameThatIsTakenGetsANumber() async throws {
        try await run()
        let first = try SpeakerPublisher(record("kitchen", id: "a"))
        #expect(try await publishedName(first) == "kitchen")
        let second = try SpeakerPublisher(record("kitchen", id: "b"))
        #expect(try await publishedName(second) == "kitchen #2")
        let found = try await SpeakerBrowser.find(names: ["kitchen #2", "kitchen"], timeout: .seconds(20))
        #expect(found.map(\.name) == ["kitchen", "kitchen #2"])
        #expect(found.map(\.id) == ["a", "b"])
    }

    @Test func changesAndTheEndAreTold() async throws {
        try await run()
        let publisher = try SpeakerPublisher(record("bath"))
        _ = try await publishedName(publisher)
        var isUpdated = false
        var hasSettled = false
        for await event in try SpeakerBrowser.browse() {
            switch event {
            case .settled:
                hasSettled = true
                var claimed = record("bath")
                claimed.isClaimed = true
                try publisher.update(claimed)
            case .found(let speaker) where speaker.claimed:
                isUpdated = true
                publisher.stop()
            default: break
            }
            if isUpdated, case .lost(let speaker) = event {
                #expect(speaker.name == "bath")
                break
            }
        }
        #expect(hasSettled && isUpdated)
        try await wait(publisher, for: .stopped)
    }

    @Test func aClockIsToldWithoutTheSpeakerBeingLostMeanwhile() async throws {
        try await run()
        let publisher = try SpeakerPublisher(record("bath"))
        _ = try await publishedName(publisher)
        let clock = SpeakerClock(port: 7_701, timescale: 5, origin: "id-1", isLeading: true)
        for await event in try SpeakerBrowser.browse() {
            switch event {
            case .settled:
                var changed = record("bath")
                changed.clock = clock
                try publisher.update(changed)
            case .found(let speaker) where speaker.clock == clock: return
            case .lost: Issue.record("the speaker was there all the time")
            default: break
            }
        }
    }

    @Test(arguments: [false, true]) func aRestartedDaemonKnowsTheSpeakerAgain(withBus: Bool) async throws {
        try await run()
        let publisher = try SpeakerPublisher(record("hall"))
        _ = try await publishedName(publisher)
        var events: [DiscoveryEvent] = []
        var isBack = false
        for await event in try SpeakerBrowser.browse() {
            events.append(event)
            switch event {
            case .settled:
                if withBus { fixture.stopBus() }
                fixture.stopDaemon()
            case .failed(let error):
                #expect(error == .daemonNotRunning)
                try await wait(publisher, for: .waiting(.daemonNotRunning))
                if withBus { try fixture.startBus() }
                try fixture.startDaemon()
            case .found: isBack = events.contains(.failed(.daemonNotRunning))
            case .lost: break
            }
            if isBack { break }
        }
        #expect(isBack)
        #expect(events.contains { if case .lost = $0 { true } else { false } })
        #expect(try await publishedName(publisher) == "hall")
    }

    @Test func aNameThatIsNotThereIsGivenUpInTime() async throws {
        try await run()
        let publisher = try SpeakerPublisher(record("kitchen"))
        _ = try await publishedName(publisher)
        let start = ContinuousClock.now
        let found = try await SpeakerBrowser.find(names: ["nowhere"], timeout: .milliseconds(500))
        #expect(found.isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(500))
    }

    @Test func recordsThatCannotBeAreRefused() {
        let long = String(repeating: "x", count: 300)
        for wrong in [
            SpeakerRecord(id: "a", name: "b", port: 0, version: "1", isClaimed: false),
            SpeakerRecord(id: "", name: "b", port: 1, version: "1", isClaimed: false),
            SpeakerRecord(id: long, name: "b", port: 1, version: "1", isClaimed: false),
            SpeakerRecord(id: "a", name: "b", port: 1, version: long, isClaimed: false),
        ] {
            #expect(throws: DiscoveryError.self) { try SpeakerPublisher(wrong) }
        }
    }
}
