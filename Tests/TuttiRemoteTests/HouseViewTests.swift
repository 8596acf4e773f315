import Testing
import TuttiRemote
import TuttiSchema

@Suite("A controller's view of a house") struct HouseViewTests {
    @Test("groups that have a name and groups that play are one list, by name")
    func groups() {
        let view = Self.view()
        #expect(view.groups.map(\.name) == ["Downstairs", "study", "upstairs"])
        #expect(view.groups.map(\.isNamed) == [true, false, true])
        #expect(view.group("DOWNSTAIRS")?.status?.state == .playing)
        #expect(view.group("upstairs")?.status == nil)
        #expect(view.group("study")?.status?.state == .stopped)
    }

    @Test("a position moves on while a group plays, at its rate, to the end of the piece and no further")
    func position() throws {
        let group = try #require(Self.view().group("downstairs"))
        #expect(group.position(at: 100) == 10)
        #expect(group.position(at: 104) == 18)
        #expect(group.position(at: 1e9) == 200)
        #expect(group.position(at: 0) == 10)
        #expect(Self.view().group("study")?.position(at: 104) == 7)
        #expect(Self.view().group("upstairs")?.position(at: 104) == 0)
    }

    @Test("a pause holds the position where it is then")
    func pause() throws {
        var view = Self.view()
        #expect(view.take(ControlEvent(.state(.paused), group: "downstairs"), at: 103).isEmpty)
        let group = try #require(view.group("downstairs"))
        #expect(group.status?.state == .paused)
        #expect(group.position(at: 500) == 16)
    }

    @Test("another piece begins at 0; a station's new title goes on")
    func item() throws {
        var view = Self.view()
        #expect(view.take(ControlEvent(.item(Self.item(id: 2)), group: "downstairs"), at: 103).isEmpty)
        #expect(view.group("downstairs")?.position(at: 104) == 2)
        var titled = Self.item(id: 2)
        titled.title = "Another"
        #expect(view.take(ControlEvent(.item(titled), group: "downstairs"), at: 105).isEmpty)
        #expect(view.group("downstairs")?.position(at: 105) == 4)
        #expect(view.group("downstairs")?.status?.item?.title == "Another")
    }

    @Test("progress brings the status and its rooms")
    func progress() throws {
        var view = Self.view()
        var status = Self.status("downstairs", .playing, 50)
        status.rooms[0].volume = 33
        #expect(view.take(ControlEvent(.progress(status), group: "downstairs"), at: 200).isEmpty)
        #expect(view.group("downstairs")?.position(at: 201) == 52)
        #expect(view.rooms.first { $0.name == "kitchen" }?.volume == 33)
        #expect(view.rooms.map(\.name) == ["kitchen", "bath"])
    }

    @Test("what an event does not say has to be read anew")
    func readings() {
        var view = Self.view()
        let all = Set(HouseView.Reading.allCases)
        #expect(view.take(ControlEvent(.changed(.groups)), at: 0) == all)
        #expect(view.take(ControlEvent(.finished(exitCode: 0, message: nil), group: "downstairs"), at: 0) == all)
        #expect(view.take(ControlEvent(.changed(.rooms)), at: 0) == [.rooms])
        #expect(view.take(ControlEvent(.room(name: "bath", .lost, message: "")), at: 0) == [.rooms])
        #expect(view.take(ControlEvent(.state(.playing), group: "attic"), at: 0) == [.groups])
        #expect(
            view.take(ControlEvent(.progress(Self.status("attic", .playing, 0)), group: "attic"), at: 0) == [.groups])
        #expect(view.take(ControlEvent(.notice("x")), at: 0).isEmpty)
    }

    private static func view() -> HouseView {
        var view = HouseView()
        var levels = ControlResponse()
        levels.status = status(nil, .stopped, 0)
        levels.status?.rooms.append(RoomStatus(name: "bath", id: "b", address: "10.0.0.2:7700", state: .idle))
        view.take(levels: levels)
        var response = ControlResponse()
        response.playing = [status("downstairs", .playing, 10)]
        response.stopped = [status("study", .stopped, 7)]
        view.take(status: response, named: ["Downstairs": ["kitchen"], "upstairs": ["bath"]], at: 100)
        return view
    }

    private static func item(id: UInt64) -> PlayerStatus.Item {
        PlayerStatus.Item(index: Int(id), id: id, title: "Air", duration: 200, uri: "/srv/air.flac")
    }

    private static func status(_ group: String?, _ state: PlayerStatus.State, _ position: Double) -> PlayerStatus {
        var status = PlayerStatus(
            state: state, position: position, rate: 2, item: item(id: 1),
            queue: PlayerStatus.Queue(length: 2, index: 1),
            rooms: [RoomStatus(name: "kitchen", id: "k", address: "10.0.0.1:7700", state: .playing)])
        status.group = group
        return status
    }
}
