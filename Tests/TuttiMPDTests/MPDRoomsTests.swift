import Synchronization
import Testing
import TuttiCore
import TuttiMPD
import TuttiSchema

/// Outputs, partitions, messages, pictures.
@Suite struct MPDRoomsTests {
    private let house = FakeHouse(groups: [
        "hall": FakeHouse.Group(rooms: ["kitchen", "bath"], isNamed: true),
        "study": FakeHouse.Group(
            rooms: ["study"], isNamed: false, state: .stopped,
            entries: [QueueListing.Entry(index: 0, id: 0, uri: "/music/s")], nextID: 1),
    ])

    private func client(_ number: UInt64 = 1) -> TestClient { TestClient(MPDCommander(house), number: number) }

    @Test("rooms are outputs, and those of the partition are enabled")
    func outputs() {
        var client = client()
        client.ask("partition hall")
        #expect(
            client.ask("outputs").prefix(6) == [
                "outputid: 0", "outputname: kitchen", "plugin: tutti", "outputenabled: 1", "attribute: volume=40",
                "attribute: muted=0",
            ])
        #expect(client.ask("outputs").filter { $0 == "outputenabled: 0" }.count == 1)
        client.ask("enableoutput 2")
        #expect(house.asked.last?.command == .group(.add("hall", rooms: ["study"])))
        #expect(client.ask("outputs").filter { $0 == "outputenabled: 1" }.count == 3)
        client.ask("toggleoutput 0")
        #expect(house.asked.last?.command == .group(.remove("hall", rooms: ["kitchen"])))
        client.ask("outputset 1 volume 33")
        #expect(client.ask("outputs").contains("attribute: volume=33"))
        #expect(client.ask("disableoutput 9") == ["ACK [50@0] {disableoutput} No such audio output"])
        #expect(client.ask("outputset 1 dop 1").first?.hasPrefix("ACK [2@0]") == true)
    }

    @Test("partitions are groups, and each client is in one")
    func partitions() {
        var client = client()
        #expect(
            client.ask("listpartitions") == ["partition: default", "partition: hall", "partition: study", "OK"])
        client.ask("partition STUDY")
        #expect(client.values("status")["partition"] == "study" && client.values("status")["playlistlength"] == "1")
        client.ask("partition hall")
        #expect(client.values("status")["playlistlength"] == "0")
        #expect(client.ask("partition cellar") == ["ACK [50@0] {partition} partition does not exist"])
        #expect(client.ask("newpartition hall") == ["ACK [56@0] {newpartition} name already exists"])
        #expect(client.ask("newpartition garden") == ["OK"])
        client.ask("partition garden")
        #expect(client.ask("add /music/1").first?.hasPrefix("ACK [52@0] {add} this partition has no rooms") == true)
        client.ask("moveoutput bath")
        #expect(house.asked.last?.command == .group(.set("garden", rooms: ["bath"])))
        #expect(client.ask("add /music/1") == ["OK"])
        #expect(client.ask("delpartition garden") == ["OK"])
        #expect(client.ask("status").first?.hasPrefix("ACK [50@0] {status} the partition garden is gone") == true)
        #expect(client.ask("delpartition default").first?.hasPrefix("ACK [2@0]") == true)
    }

    @Test("default stands for the group that plays")
    func usual() {
        var client = client()
        #expect(client.ask("playlist") == ["0:file: /music/s", "OK"])
        house.change { state in
            state.groups["hall"]?.entries = [QueueListing.Entry(index: 0, id: 4, uri: "/music/h")]
            state.groups["hall"]?.state = .playing
        }
        #expect(client.ask("playlist") == ["0:file: /music/h", "OK"])
        #expect(client.values("status")["state"] == "play")
        let version = client.values("status")["playlist"] ?? ""
        house.change { state in
            state.groups["hall"]?.state = .stopped
            state.groups["study"]?.state = .playing
        }
        #expect(client.ask("plchangesposid \(version)") == ["cpos: 0", "Id: 1", "OK"])
    }

    @Test("a queue without a name keeps its rooms when it is cleared")
    func dormant() {
        var client = client()
        client.ask("partition study")
        client.ask("play")
        client.ask("clear")
        #expect(client.values("status")["playlistlength"] == "0")
        house.change { $0.groups["study"] = nil }
        #expect(client.ask("listpartitions").contains("partition: study"))
        #expect(client.ask("add /music/2") == ["OK"])
        #expect(house.state.withLock { $0.groups["study"]?.rooms } == ["study"])
    }

    @Test("a group that somebody deletes is no partition any more")
    func deleted() {
        var client = client()
        client.ask("partition hall")
        house.change { $0.groups["hall"] = nil }
        #expect(!client.ask("listpartitions").contains("partition: hall"))
        #expect(client.ask("stop").first?.hasPrefix("ACK [50@0] {stop} the partition hall is gone") == true)
        #expect(client.ask("partition default") == ["OK"])
        // Where a queue is over that has its rooms of nothing else, the next one plays there.
        house.change { $0.groups["study"] = nil }
        client.ask("add /music/1")
        #expect(house.state.withLock { $0.groups["study"]?.rooms } == ["study"])
    }

    @Test("in an empty house, what is added plays in all rooms")
    func empty() {
        let house = FakeHouse(groups: [:])
        var client = TestClient(MPDCommander(house))
        #expect(client.values("status")["state"] == "stop")
        #expect(client.ask("add /music/1") == ["OK"])
        #expect(house.state.withLock { $0.groups["kitchen+bath+study"]?.rooms.count } == 3)
        #expect(client.values("status")["playlistlength"] == "1")
    }

    @Test("without the service, commands say so")
    func gone() throws {
        var client = client()
        try house.edit { $0.serviceIsGone() }
        #expect(client.ask("status").first?.contains("the service does not answer") == true)
        #expect(client.ask("ping") == ["OK"])
    }

    @Test("clients send each other messages")
    func messages() {
        let commander = MPDCommander(house)
        var (one, other) = (TestClient(commander), TestClient(commander, number: 2))
        #expect(one.ask("sendmessage a hello").first?.hasPrefix("ACK [50@0]") == true)
        #expect(one.ask("subscribe a") == ["OK"])
        #expect(one.ask("subscribe a").first?.hasPrefix("ACK [56@0]") == true)
        #expect(one.ask("subscribe \"a b\"").first?.hasPrefix("ACK [2@0]") == true)
        #expect(other.ask("channels") == ["channel: a", "OK"])
        one.ask("idle")
        #expect(other.ask("sendmessage a \"hello world\"") == ["OK"])
        #expect(
            one.hear(other.changes)
                == ["changed: subscription", "changed: message", "OK"].filter { $0 != "changed: subscription" })
        #expect(one.ask("readmessages") == ["channel: a", "message: hello world", "OK"])
        #expect(one.ask("readmessages") == ["OK"])
        #expect(one.ask("unsubscribe a") == ["OK"])
        #expect(other.ask("channels") == ["OK"])
    }

    @Test("pictures come in parts, and of nothing but what is in a queue")
    func pictures() {
        house.change { $0.picture = (0..<200).map { UInt8($0) } }
        var client = client()
        client.ask("binarylimit 150")
        let first = client.send(Array("readpicture /music/s 0\n".utf8))
        let head = Array("size: 200\ntype: image/jpeg\nbinary: 150\n".utf8)
        #expect(first == head + (0..<150).map { UInt8($0) } + Array("\nOK\n".utf8))
        let second = client.send(Array("albumart /music/s 150\n".utf8))
        #expect(second == Array("size: 200\nbinary: 50\n".utf8) + (150..<200).map { UInt8($0) } + Array("\nOK\n".utf8))
        #expect(client.ask("albumart /music/s 201") == ["ACK [2@0] {albumart} Bad file offset"])
        #expect(client.ask("albumart /music/other 0") == ["ACK [50@0] {albumart} No such song"])
        house.change { $0.picture = nil }
        #expect(client.ask("readpicture /music/s 0") == ["OK"])
        #expect(client.ask("albumart /music/s 0") == ["ACK [50@0] {albumart} No file exists"])
        #expect(client.ask("binarylimit 10").first?.hasPrefix("ACK") == true)
    }

    @Test("tags that a client does not want are left out")
    func tags() {
        house.change { $0.groups["study"]?.entries[0].title = "Song" }
        var client = client()
        #expect(client.ask("playlistinfo").contains("Title: Song"))
        client.ask("tagtypes disable Title")
        #expect(!client.ask("playlistinfo").contains("Title: Song"))
        client.ask("tagtypes clear")
        #expect(client.ask("tagtypes") == ["OK"])
        client.ask("tagtypes enable title artist")
        #expect(client.ask("tagtypes") == ["tagtype: Artist", "tagtype: Title", "OK"])
        #expect(client.ask("tagtypes enable nothing").first?.hasPrefix("ACK [2@0]") == true)
    }

    @Test("a title cannot end its line")
    func lines() {
        house.change { $0.groups["study"]?.entries[0].title = "a\nOK\nb" }
        var client = client()
        #expect(client.ask("playlistinfo").contains("Title: aOKb"))
    }
}
