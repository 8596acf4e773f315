import Testing
import TuttiPipeWire
import TuttiRemote
import TuttiSchema

@Suite("Sinks that come and go") struct SinkSetTests {
    @Test("groups that people have made are sinks, whether they play or not; they stay while the service is gone")
    func lives() {
        var sinks = SinkSet()
        #expect(sinks.take(Self.view(named: ["Living room", "bath"])) == [.appear("bath"), .appear("living room")])
        #expect(sinks.sinks["living room"]?.node == "tutti.living_room")
        #expect(sinks.sinks["living room"]?.description == "Tutti Living room")
        #expect(sinks.take(Self.view(named: ["Living room", "bath"])).isEmpty)
        #expect(sinks.take(nil).isEmpty)
        #expect(sinks.take(Self.view(named: ["bath"])) == [.vanish("living room")])
    }

    @Test("without groups there is one sink for all rooms, until there is a group")
    func house() {
        var sinks = SinkSet()
        #expect(sinks.take(Self.view(named: [])) == [.appear("")])
        #expect(sinks.sinks[""]?.node == "tutti" && sinks.sinks[""]?.description == "Tutti")
        #expect(sinks.sinks[""]?.group.rooms == ["kitchen@10.0.0.2:7700", "bath@10.0.0.3:7700"])
        #expect(sinks.take(Self.view(named: ["all"])) == [.vanish(""), .appear("all")])
        #expect(SinkSetTests.none.sinks.isEmpty)
    }

    @Test("a group that is louder is told, and one whose name becomes ambiguous appears anew")
    func changes() {
        var sinks = SinkSet()
        _ = sinks.take(Self.view(named: ["living room"]))
        #expect(sinks.sinks["living room"]?.level == GroupLevel(volume: 40, isMuted: false))
        #expect(sinks.take(Self.view(named: ["living room"], volume: 50)) == [.change("living room")])
        let effects = sinks.take(Self.view(named: ["living room", "living_room"]))
        #expect(effects == [.vanish("living room"), .appear("living room"), .appear("living_room")])
        sinks.forget("living_room")
        #expect(sinks.take(Self.view(named: ["living room", "living_room"])) == [.appear("living_room")])
    }

    @Test("a room that does not answer for a moment makes no sink softer")
    func missing() {
        var sinks = SinkSet()
        _ = sinks.take(Self.view(named: ["downstairs"]))
        var view = Self.view(named: ["downstairs"])
        view.take(levels: ControlResponse(status: Self.status([Self.room("bath", volume: 10)])))
        #expect(sinks.take(view, isComplete: false).isEmpty)
        #expect(sinks.unknown(in: view).map(\.name) == ["downstairs"])
        view.add(levels: [Self.room("kitchen", volume: 30)])
        #expect(sinks.take(view, isComplete: false) == [.change("downstairs")])
        #expect(sinks.sinks["downstairs"]?.level?.volume == 30 && sinks.unknown(in: view).isEmpty)
        view.take(levels: ControlResponse(status: Self.status([Self.room("bath", volume: 10)])))
        #expect(sinks.take(view) == [.change("downstairs")])
        #expect(sinks.sinks["downstairs"]?.level?.volume == 10)
    }

    @Test("there are no more than a graph is good for")
    func most() {
        var sinks = SinkSet()
        #expect(sinks.take(Self.view(named: (0..<100).map { "group \($0)" })).count == SinkSet.most)
    }

    private static var none: SinkSet {
        var sinks = SinkSet()
        _ = sinks.take(HouseView())
        return sinks
    }

    private static func view(named: [String], volume: Double = 40) -> HouseView {
        var view = HouseView()
        let groups = named.map { ($0, ["kitchen@10.0.0.2:7700", "bath"]) }
        view.take(status: ControlResponse(), named: Dictionary(groups) { first, _ in first }, at: 0)
        let rooms = [room("kitchen", volume: volume), room("bath", volume: 20)]
        view.take(levels: ControlResponse(status: status(rooms)))
        return view
    }

    private static func room(_ name: String, volume: Double) -> RoomStatus {
        var room = RoomStatus(
            name: name, address: name == "kitchen" ? "10.0.0.2:7700" : "10.0.0.3:7700", state: .idle)
        room.volume = volume
        return room
    }

    private static func status(_ rooms: [RoomStatus]) -> PlayerStatus {
        PlayerStatus(
            state: .stopped, position: 0, rate: 0, queue: PlayerStatus.Queue(length: 0, index: 0), rooms: rooms)
    }
}
