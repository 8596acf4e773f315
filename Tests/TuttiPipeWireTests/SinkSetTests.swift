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
        var kitchen = RoomStatus(name: "kitchen", address: "10.0.0.2:7700", state: .idle)
        var bath = RoomStatus(name: "bath", address: "10.0.0.3:7700", state: .idle)
        (kitchen.volume, bath.volume) = (volume, 20)
        let status = PlayerStatus(
            state: .stopped, position: 0, rate: 0, queue: PlayerStatus.Queue(length: 0, index: 0),
            rooms: [kitchen, bath])
        view.take(levels: ControlResponse(status: status))
        return view
    }
}
