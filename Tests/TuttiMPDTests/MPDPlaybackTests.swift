import Synchronization
import Testing
import TuttiCore
import TuttiMPD
import TuttiSchema

/// Playback, options and the queue, with a service in memory.
@Suite struct MPDPlaybackTests {
    private let house = FakeHouse()

    private func client() -> TestClient { TestClient(MPDCommander(house)) }

    /// A client of a queue of so many tracks.
    private func client(tracks: Int) -> TestClient {
        var client = client()
        for number in 0..<tracks { client.ask("add /music/\(number)") }
        return client
    }

    /// The files of the queue, without their folder.
    private func files(_ client: inout TestClient) -> [String] {
        client.ask("playlistinfo").filter { $0.hasPrefix("file: ") }.map { String($0.dropFirst(13)) }
    }

    private func isCommand(_ request: ControlRequest, _ command: PlayerCommand) -> Bool {
        request.command == .player(command)
    }

    @Test("status reports what plays, and the place in it follows the clock")
    func status() {
        var client = client(tracks: 3)
        #expect(client.values("status")["state"] == "stop")
        #expect(client.ask("play 1") == ["OK"])
        house.change { $0.now = 112.5 }
        house.change { _ in }
        house.state.withLock { $0.now += 2 }
        let status = client.values("status")
        #expect(status["state"] == "play" && status["song"] == "1" && status["songid"] == "2")
        #expect(status["nextsong"] == "2" && status["elapsed"] == "2.000" && status["duration"] == "60.000")
        #expect(status["time"] == "2:60" && status["playlistlength"] == "3" && status["volume"] == "50")
        #expect(status["partition"] == "default" && status["single"] == "0" && status["repeat"] == "0")
        let song = client.values("currentsong")
        #expect(song["file"] == "/music/1" && song["Pos"] == "1" && song["Id"] == "2")
    }

    @Test("play resumes a stopped queue in its group, and does nothing while it plays")
    func play() {
        var client = client(tracks: 2)
        client.ask("play")
        guard case .player(.resume(let place?)) = house.asked.last?.command else {
            Issue.record("not resumed")
            return
        }
        #expect(place.groups == ["hall"] && house.asked.last?.group == "hall")
        let count = house.asked.count
        #expect(client.ask("play") == ["OK"] && house.asked.count == count)
        #expect(client.ask("pause") == ["OK"] && client.values("status")["state"] == "pause")
        #expect(client.ask("pause 1") == ["OK"] && client.values("status")["state"] == "pause")
        #expect(client.ask("pause 0") == ["OK"] && client.values("status")["state"] == "play")
        #expect(client.ask("stop") == ["OK"] && client.values("status")["state"] == "stop")
        #expect(client.ask("pause") == ["OK"] && client.values("status")["state"] == "stop")
    }

    @Test("next and previous go by the queue, and next ends it after the last track")
    func skipping() {
        var client = client(tracks: 2)
        client.ask("play 0")
        client.ask("next")
        #expect(client.values("status")["song"] == "1")
        client.ask("previous")
        #expect(client.values("status")["song"] == "0")
        client.ask("repeat 1")
        client.ask("previous")
        #expect(client.values("status")["song"] == "1")
        client.ask("repeat 0")
        client.ask("next")
        #expect(client.values("status")["state"] == "stop")
    }

    @Test("seeking takes seconds, and a sign for a distance")
    func seeking() {
        var client = client(tracks: 2)
        #expect(client.ask("seekcur 5") == ["ACK [2@0] {seekcur} Not playing"])
        client.ask("seek 1 12.5")
        #expect(client.values("status")["song"] == "1" && client.values("status")["elapsed"] == "12.500")
        client.ask("seekcur +2.5")
        #expect(client.values("status")["elapsed"] == "15.000")
        client.ask("seekcur -60")
        #expect(client.values("status")["elapsed"] == "0.000")
        #expect(client.ask("seekid 1 nan") == ["ACK [2@0] {seekid} Float expected: nan"])
        #expect(client.ask("seekid 1 -3").first?.hasPrefix("ACK [2@0]") == true)
    }

    @Test("repeat and single are one mode of the service, and what there is not is refused")
    func modes() {
        var client = client(tracks: 1)
        client.ask("single 1")
        #expect(house.state.withLock { $0.groups["hall"]?.repeatMode } == .single)
        #expect(client.values("status")["single"] == "1" && client.values("status")["repeat"] == "0")
        client.ask("repeat 1")
        #expect(house.state.withLock { $0.groups["hall"]?.repeatMode } == .one)
        #expect(client.values("status")["single"] == "1" && client.values("status")["repeat"] == "1")
        client.ask("single 0")
        #expect(client.values("status")["single"] == "0" && client.values("status")["repeat"] == "1")
        client.ask("random 1")
        client.ask("consume 1")
        client.ask("crossfade 5")
        #expect(client.values("status")["random"] == "1" && client.values("status")["consume"] == "1")
        #expect(client.values("status")["xfade"] == "5")
        #expect(client.ask("crossfade 13") == ["ACK [52@0] {crossfade} crossfade is 0-12"])
        client.ask("replay_gain_mode album")
        #expect(client.ask("replay_gain_status") == ["replay_gain_mode: album", "OK"])
        #expect(client.ask("consume oneshot").first?.hasPrefix("ACK") == true)
        #expect(client.ask("mixrampdelay nan") == ["OK"])
        #expect(client.ask("mixrampdb -17").first?.hasPrefix("ACK") == true)
    }

    @Test("of a queue that stops after each track, nothing follows, and next goes on all the same")
    func single() {
        var client = client(tracks: 3)
        client.ask("play 0")
        client.ask("single 1")
        #expect(client.values("status")["nextsong"] == nil)
        client.ask("next")
        #expect(client.values("status")["song"] == "1")
    }

    @Test("of a shuffled queue what has a higher priority plays first; else priorities are kept and do nothing")
    func priorities() {
        var client = client(tracks: 6)
        client.ask("play 0")
        #expect(client.ask("prio 5 3 4:5") == ["OK"])
        #expect(files(&client) == ["0", "1", "2", "3", "4", "5"])
        #expect(client.ask("playlistinfo 3").contains("Prio: 5") && !client.ask("playlistinfo 2").contains("Prio: 5"))
        let version = client.values("status")["playlist"] ?? ""
        client.ask("random 1")
        #expect(files(&client) == ["0", "3", "4", "1", "2", "5"])
        client.ask("prioid 10 6")
        #expect(files(&client) == ["0", "5", "3", "4", "1", "2"])
        #expect(client.ask("plchanges \(version)").contains("Prio: 10"))
        // What has played comes once more if it is raised.
        client.ask("play 3")
        client.ask("prioid 7 4")
        #expect(files(&client) == ["0", "5", "4", "3", "1", "2"] && client.values("currentsong")["file"] == "/music/4")
        client.ask("prio 0 3")
        #expect(!client.ask("playlistinfo").contains("Prio: 7") && client.ask("playlistinfo").contains("Prio: 10"))
        #expect(client.ask("prio 256 0").first?.hasPrefix("ACK [2@0] {prio}") == true)
        #expect(client.ask("prioid 1 99").first?.hasPrefix("ACK [50@0] {prioid}") == true)
        #expect(client.ask("prio 1").first?.hasPrefix("ACK [2@0] {prio}") == true)
    }

    @Test("volume is that of the loudest room, and the others keep their distance")
    func volume() {
        var client = client(tracks: 1)
        client.ask("play")
        #expect(client.ask("getvol") == ["volume: 50", "OK"])
        client.ask("setvol 60")
        #expect(house.state.withLock { $0.rooms.map(\.volume) } == [50, 60, 60])
        client.ask("volume -10")
        #expect(client.ask("getvol") == ["volume: 50", "OK"])
        #expect(client.ask("setvol 101").first?.hasPrefix("ACK [2@0]") == true)
    }

    @Test("entries are added, moved, swapped and removed by place and by id")
    func edits() {
        var client = client(tracks: 4)
        #expect(files(&client) == ["0", "1", "2", "3"])
        client.ask("move 0 2")
        #expect(files(&client) == ["1", "2", "0", "3"])
        client.ask("move 0:2 2")
        #expect(files(&client) == ["0", "3", "1", "2"])
        client.ask("move 2:4 0")
        #expect(files(&client) == ["1", "2", "0", "3"])
        client.ask("swap 0 3")
        #expect(files(&client) == ["3", "2", "0", "1"])
        client.ask("moveid 1 0")
        #expect(files(&client) == ["0", "3", "2", "1"])
        client.ask("delete 1:3")
        #expect(files(&client) == ["0", "1"])
        client.ask("deleteid 1")
        #expect(files(&client) == ["1"])
        #expect(client.ask("addid /music/9 0") == ["Id: 5", "OK"])
        #expect(files(&client) == ["9", "1"])
        #expect(client.ask("delete 5") == ["ACK [2@0] {delete} Bad song index"])
        client.ask("play 0")
        client.ask("add /music/8 +0")
        #expect(files(&client) == ["9", "8", "1"])
        client.ask("clear")
        #expect(files(&client) == [] && client.values("status")["state"] == "stop")
    }

    @Test("what is no music of this host is refused")
    func uris() {
        var client = client()
        #expect(client.ask("add /etc/shadow").first?.hasPrefix("ACK [50@0] {add}") == true)
        #expect(client.ask("add album/1.flac") == ["ACK [50@0] {add} No such song"])
        #expect(client.ask("add nfs://host/a") == ["ACK [50@0] {add} Unsupported URI scheme"])
        #expect(client.ask("add file:///music/a%20b") == ["OK"])
        #expect(client.ask("add file:///music/%zz").first?.hasPrefix("ACK") == true)
        #expect(client.ask("add file:///music/%00").first?.hasPrefix("ACK") == true)
        client.ask("add http://station/radio")
        client.ask("add /music/album/")
        #expect(
            client.ask("playlist").dropLast() == [
                "0:file: /music/a b", "1:file: http://station/radio", "2:file: /music/album/1.flac",
                "3:file: /music/album/2.flac",
            ])
        #expect(client.ask("addid /music/album/").first?.hasPrefix("ACK [2@0]") == true)
        #expect(client.ask("add /music/bad") == ["ACK [52@0] {add} cannot be played"])
    }

    @Test("a list of tracks is one request, unless one of them is refused")
    func lists() {
        var client = client()
        let lines = (0..<100).map { "addid /music/\($0)" }.joined(separator: "\n")
        let answer = client.ask("command_list_ok_begin\nclear\n\(lines)\nplay\ncommand_list_end")
        #expect(answer.first == "list_OK" && answer.dropFirst().prefix(2) == ["Id: 1", "list_OK"])
        #expect(answer.count == 1 + 200 + 1 + 1 && answer.last == "OK")
        let adds = house.asked.filter { if case .player(.add) = $0.command { true } else { false } }
        #expect(adds.count == 1)
        let refused = client.ask("command_list_begin\nadd /music/x\nadd /music/bad\nadd /music/y\ncommand_list_end")
        #expect(refused == ["ACK [52@1] {add} cannot be played"])
        #expect(client.values("status")["playlistlength"] == "101")
    }

    @Test("versions tell what has changed, whoever changed it")
    func versions() {
        var client = client(tracks: 4)
        let version = client.values("status")["playlist"] ?? ""
        #expect(client.ask("plchanges \(version)") == ["OK"])
        house.change { state in
            state.groups["hall"]?.entries.swapAt(2, 3)
            for place in 0..<4 { state.groups["hall"]?.entries[place].index = place }
        }
        #expect(client.ask("plchangesposid \(version)") == ["cpos: 2", "Id: 4", "cpos: 3", "Id: 3", "OK"])
        #expect(client.ask("plchangesposid \(version) 3:4") == ["cpos: 3", "Id: 3", "OK"])
        let later = client.values("status")["playlist"] ?? ""
        #expect(later != version)
        client.ask("deleteid 1")
        #expect(client.ask("plchangesposid \(later)").count == 3 * 2 + 1)
        // A version that there never was.
        #expect(client.ask("plchangesposid 4000000000").count == 3 * 2 + 1)
    }

    @Test("each change is told once, to those that it concerns")
    func changes() {
        var client = client(tracks: 2)
        _ = house.takeChanges()
        func told() -> MPDSubsystems {
            house.takeChanges().filter { $0.scope == .partition("default") || $0.scope == .everybody }
                .reduce(into: []) { $0.formUnion($1.subsystems) }
        }
        client.ask("play")
        #expect(told() == [.player])
        client.ask("setvol 20")
        #expect(told() == [.mixer])
        client.ask("random 1")
        #expect(told() == [.options])
        client.ask("add /music/5")
        #expect(told() == [.playlist])
        client.ask("next")
        #expect(told() == [.player])
        client.ask("status")
        #expect(told() == [])
        client.ask("seekcur 30")
        #expect(told() == [.player])
    }

    @Test("the queue is searched by filters, old and new")
    func searching() {
        var client = client(tracks: 2)
        house.change { state in
            state.groups["hall"]?.entries[0].artist = "Björk"
            state.groups["hall"]?.entries[1].artist = "Bach"
            state.groups["hall"]?.entries[1].title = "Aria"
        }
        func found(_ query: String) -> [String] {
            client.ask(query).filter { $0.hasPrefix("Pos") }.map { String($0.dropFirst(5)) }
        }
        #expect(found("playlistfind artist Bach") == ["1"])
        #expect(found("playlistsearch artist bjork") == ["0"])
        #expect(found(#"playlistfind "(Artist == \"Bach\")""#) == ["1"])
        #expect(found(#"playlistfind "((artist contains 'a') AND (title == 'Aria'))""#) == ["1"])
        #expect(found(#"playlistfind "(!(artist == 'Bach'))""#) == ["0"])
        #expect(found(#"playlistfind "(title == '')""#) == ["0"])
        #expect(found(#"playlistsearch "(any starts_with 'b')" sort -artist"#) == ["0", "1"])
        #expect(found(#"playlistsearch "(any starts_with 'b')" window 1:"#) == ["1"])
        #expect(client.ask("playlistfind artist").first?.hasPrefix("ACK [2@0]") == true)
    }
}
