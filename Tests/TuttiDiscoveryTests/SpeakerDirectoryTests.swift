import Testing
import TuttiDiscovery

/// How sights become speakers.
@Suite struct SpeakerDirectoryTests {
    private func sight(_ interface: Int32, isIPv6: Bool = false, name: String = "kitchen") -> SpeakerDirectory.Sight {
        SpeakerDirectory.Sight(interface: interface, isIPv6: isIPv6, name: name, domain: "local")
    }

    private func resolution(_ address: String, claimed: Bool = false) -> SpeakerDirectory.Resolution {
        SpeakerDirectory.Resolution(
            host: "k.local", address: address, port: 7_700,
            text: SpeakerText(id: "1", name: "kitchen", version: "1", isClaimed: claimed))
    }

    private func speaker(_ addresses: [String], claimed: Bool = false) -> DiscoveredSpeaker {
        DiscoveredSpeaker(
            id: "1", name: "kitchen", host: "k.local", addresses: addresses, port: 7_700, version: "1",
            claimed: claimed)
    }

    private func show(_ sight: SpeakerDirectory.Sight, to directory: inout SpeakerDirectory, isNew: Bool = true) {
        let isTaken = directory.appeared(sight)
        #expect(isTaken == isNew)
    }

    @Test func sightsOfOneServiceAreOneSpeakerWithTheBestAddressFirst() {
        var directory = SpeakerDirectory()
        let order: [(SpeakerDirectory.Sight, String)] = [
            (sight(1, isIPv6: true), "::1"), (sight(2, isIPv6: true), "fe80::2%eth0"), (sight(1), "127.0.0.1"),
            (sight(3, isIPv6: true), "2001:db8::1"), (sight(4), "169.254.1.1"), (sight(2), "10.0.0.2"),
        ]
        for (sight, _) in order { show(sight, to: &directory) }
        #expect(!directory.isResolved)
        var last: [DiscoveryEvent] = []
        for (sight, address) in order { last = directory.resolved(sight, to: resolution(address)) }
        let all = ["10.0.0.2", "169.254.1.1", "127.0.0.1", "2001:db8::1", "fe80::2%eth0", "::1"]
        #expect(last == [.found(speaker(all))])
        #expect(directory.isResolved)
    }

    @Test func onlyChangesAreTold() {
        var directory = SpeakerDirectory()
        show(sight(1), to: &directory)
        show(sight(1), to: &directory, isNew: false)
        #expect(directory.resolved(sight(1), to: resolution("10.0.0.1")) == [.found(speaker(["10.0.0.1"]))])
        #expect(directory.resolved(sight(1), to: resolution("10.0.0.1")) == [])
        let claimed = speaker(["10.0.0.1"], claimed: true)
        #expect(directory.resolved(sight(1), to: resolution("10.0.0.1", claimed: true)) == [.found(claimed)])
        #expect(directory.disappeared(sight(1)) == [.lost(claimed)])
        #expect(directory.disappeared(sight(1)) == [])
    }

    @Test func aSpeakerIsLostWithItsLastSightOnly() {
        var directory = SpeakerDirectory()
        for interface in [1, 2] as [Int32] {
            show(sight(interface), to: &directory)
            _ = directory.resolved(sight(interface), to: resolution("10.0.0.\(interface)"))
        }
        #expect(directory.disappeared(sight(1)) == [.found(speaker(["10.0.0.2"]))])
        #expect(directory.failed(sight(2)) == [.lost(speaker(["10.0.0.2"]))])
    }

    @Test func whatNeverAppearedIsPassedOver() {
        var directory = SpeakerDirectory()
        #expect(directory.resolved(sight(1), to: resolution("10.0.0.1")) == [])
        #expect(directory.failed(sight(1)) == [])
        #expect(directory.clear() == [])
    }

    @Test func theNumberOfSightsIsBounded() {
        var directory = SpeakerDirectory()
        for number in 0..<SpeakerDirectory.maximumSights {
            show(sight(1, name: "room \(number)"), to: &directory)
        }
        show(sight(1, name: "one more"), to: &directory, isNew: false)
    }

    @Test func aSearchEndsWhenAllNamesAreThere() {
        var search = SpeakerSearch(names: ["kitchen"])
        #expect(search.received(.found(speaker(["fe80::1%eth0"]))) == .withoutIPv4)
        #expect(search.received(.found(speaker(["10.0.0.1", "fe80::1%eth0"]))) == .complete)
        #expect(search.speakers == [speaker(["10.0.0.1", "fe80::1%eth0"])])
        #expect(search.received(.lost(speaker([]))) == .incomplete)
        #expect(search.received(.settled) == .incomplete)
        #expect(search.received(.found(speaker(["::1"]))) == .complete)
        #expect(search.received(.failed(.daemonNotRunning)) == .failed(.daemonNotRunning))
    }

    @Test func aSpeakerThatHidesItsNameMayBeMeant() {
        let id = "2a22a91fd74ac9b9"
        let name = ServiceName.withoutName(id: id)
        #expect(name == "Tutti 2a22a91f")
        let hidden = DiscoveredSpeaker(
            id: id, name: name, host: "h.local", addresses: ["10.0.0.1"], port: 7_700, version: "2", claimed: true)
        #expect(hidden.hidesName && !speaker(["10.0.0.1"]).hidesName)
        var known = SpeakerSearch(names: ["kitchen"], ids: ["kitchen": id])
        #expect(known.received(.found(hidden)) == .complete)
        var unknown = SpeakerSearch(names: ["kitchen"])
        #expect(unknown.received(.found(hidden)) == .incomplete)
        #expect(unknown.speakers == [hidden])
    }

    @Test func aSearchForAllEndsWhenTheNetworkIsHeardOut() {
        var search = SpeakerSearch(names: [])
        #expect(search.received(.found(speaker(["10.0.0.1"]))) == .incomplete)
        #expect(search.received(.settled) == .complete)
        var byID = SpeakerSearch(names: ["1"])
        #expect(byID.received(.found(speaker(["10.0.0.1"]))) == .complete)
    }
}
