import Testing
import TuttiDesktop
import TuttiRemote
import TuttiSchema

@Suite("Players that come and go") struct PlayerSetTests {
    @Test("groups appear when they have tracks, those that play last; they vanish with them and with the service")
    func lives() {
        var players = PlayerSet()
        let view = Self.view(playing: ["study", "attic"], stopped: ["bath"], named: ["Downstairs"])
        #expect(
            Self.take(view, &players) == [
                .appear("bath", busName: PlayerName.base + ".bath"),
                .appear("study", busName: PlayerName.base + ".study"),
                .appear("attic", busName: PlayerName.base + ".attic"),
            ])
        #expect(Self.take(view, &players).isEmpty)
        #expect(
            Self.take(Self.view(playing: ["study"], named: ["Downstairs"]), &players) == [
                .vanish("attic"), .vanish("bath"),
            ])
        #expect(Self.take(nil, &players) == [.vanish("study")])
        #expect(Self.take(nil, &players).isEmpty)
    }

    @Test("a player of its own is shown; a queue that waits for a room is not")
    func unnamed() {
        var players = PlayerSet()
        #expect(Self.take(Self.view(playing: [""]), &players) == [.appear("", busName: PlayerName.base)])
        #expect(Self.take(Self.view(stopped: [""]), &players) == [.vanish("")])
    }

    @Test("a name that becomes ambiguous is another one from then on")
    func renaming() {
        var players = PlayerSet()
        _ = Self.take(Self.view(playing: ["living room"]), &players)
        let effects = Self.take(Self.view(playing: ["living room", "living_room"]), &players)
        #expect(effects.first == .vanish("living room"))
        #expect(effects.contains(.appear("living_room", busName: PlayerName.base + ".living_room")))
        #expect(effects.count == 3)
    }

    @Test("there are no more players than connections to the bus are good for")
    func most() {
        var players = PlayerSet()
        let names = (0..<100).map { "group \($0)" }
        let effects = Self.take(Self.view(playing: ["zoo"], stopped: names), &players)
        #expect(effects.count == PlayerSet.most && players.players["zoo"] != nil)
    }

    @Test("one that is forgotten appears again")
    func forgotten() {
        var players = PlayerSet()
        let view = Self.view(playing: ["study"])
        _ = Self.take(view, &players)
        #expect(players.forget("study") == .vanish("study"))
        #expect(Self.take(view, &players) == [.appear("study", busName: PlayerName.base + ".study")])
    }

    @Test("pictures are wanted of files, and shown when they are there")
    func pictures() {
        var players = PlayerSet()
        let view = Self.view(playing: ["study"])
        _ = Self.take(view, &players)
        #expect(players.files == ["/srv/Suites, 1/air.flac"])
        let effects = players.take(view, artwork: { _ in "file:///1.jpg" }, at: 100)
        guard case .tell("study", .changed(let values))? = effects.first else {
            Issue.record("nothing is told: \(effects)")
            return
        }
        #expect(Set(values.keys) == ["Metadata"])
    }

    private static func take(_ view: HouseView?, _ players: inout PlayerSet) -> [PlayerSet.Effect] {
        players.take(view, artwork: { _ in nil }, at: 100)
    }

    private static func view(
        playing: [String] = [], stopped: [String] = [], named: [String] = []
    ) -> HouseView {
        func statuses(_ names: [String], _ state: PlayerStatus.State) -> [PlayerStatus] {
            names.map { name in
                var status = Sample.status(state)
                status.group = name.isEmpty ? nil : name
                return status
            }
        }
        var response = ControlResponse()
        response.playing = statuses(playing, .playing)
        response.stopped = statuses(stopped, .stopped)
        var view = HouseView()
        view.take(status: response, named: Dictionary(uniqueKeysWithValues: named.map { ($0, ["a"]) }), at: 100)
        return view
    }
}

@Suite("Pictures that are kept") struct ArtworkShelfTests {
    @Test("one is made at a time, of what is wanted now, once")
    func making() {
        var shelf = ArtworkShelf()
        #expect(shelf.want(["/a", "/b"]) == [.make("/a")])
        #expect(shelf.want(["/b", "/c"]).isEmpty)
        #expect(shelf.take("/run/1.jpg", of: "/a") == [.make("/b")])
        #expect(shelf.take(nil, of: "/b") == [.make("/c")])
        #expect(shelf.take("/run/3.jpg", of: "/c").isEmpty)
        #expect(shelf.want(["/a", "/b", "/c"]).isEmpty)
        #expect(["/a", "/b", "/c", "/d"].map { shelf.picture(of: $0) } == ["/run/1.jpg", nil, "/run/3.jpg", nil])
    }

    @Test("the oldest that nobody wants goes, and its file with it")
    func bounds() {
        var shelf = ArtworkShelf()
        var removed: [String] = []
        for number in 0..<200 {
            _ = shelf.want(["/keep", "/\(number)"])
            if number == 0 { _ = shelf.take("/run/0.jpg", of: "/0") }
            for effect in shelf.take(
                "/run/\(number == 0 ? "keep" : "\(number)").jpg", of: number == 0 ? "/keep" : "/\(number)")
            {
                if case .remove(let path) = effect { removed.append(path) }
            }
        }
        #expect(removed.count == 201 - ArtworkShelf.most)
        #expect(removed.first == "/run/0.jpg" && !removed.contains("/run/keep.jpg"))
        #expect(shelf.picture(of: "/keep") == "/run/keep.jpg")
    }
}
