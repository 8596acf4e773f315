import Testing
import TuttiCore
import TuttiPipeWire
import TuttiRemote
import TuttiSchema

@Suite("What sinks ask of the service") struct SinkRequestTests {
    private static let input = ControlInput(uri: "unix:/run/a.sock?format=48000:f32:2", title: "Sound of a desktop")

    @Test("where nothing plays, it plays as by `tutti play`, in the rooms that answer")
    func idle() throws {
        for status in [nil, Self.status(.stopped), Self.status(.ended)] {
            var house = House(entries: [(20, Self.input.uri)], index: 0)
            let track = try SinkRequest.play(
                Self.input, in: Self.group(status), at: 0,
                asking: { (request) throws(ServiceClient.Failure) in try house.answer(request) }
            ) {}
            var order = PlayOrder(inputs: [Self.input])
            (order.groups, order.any) = (["downstairs"], true)
            #expect(
                house.requests == [
                    ControlRequest(.play(order, name: "downstairs", detach: true)),
                    ControlRequest(.queue, group: "downstairs"),
                ])
            #expect(track == SinkRequest.Track(entry: 20, group: "downstairs", interrupted: nil))
        }
    }

    @Test("what plays is interrupted, and comes back where it was, paused if it was")
    func interrupts() throws {
        for state in [PlayerStatus.State.playing, .paused] {
            var house = House(entries: [(7, "/a.flac"), (20, Self.input.uri), (8, "/b.flac")], index: 1)
            let track = try SinkRequest.play(
                Self.input, in: Self.group(Self.status(state)), at: 105,
                asking: { (request) throws(ServiceClient.Failure) in try house.answer(request) }
            ) {}
            #expect(
                house.requests == [
                    ControlRequest(.insert([Self.input]), group: "downstairs"),
                    ControlRequest(.queue, group: "downstairs"),
                    ControlRequest(.jump(.id(20)), group: "downstairs"),
                    ControlRequest(.resume(), group: "downstairs"),
                ])
            let position = state == .playing ? 15.0 : 10
            #expect(
                track.interrupted
                    == SinkRequest.Interrupted(entry: 7, position: position, wasPaused: state == .paused))
            house.requests = []
            try SinkRequest.finish(track) { (request) throws(ServiceClient.Failure) in try house.answer(request) }
            let time = try #require(MediaTime(seconds: position, preferredTimescale: 1000))
            let pause = state == .paused ? [ControlRequest(.pause, group: "downstairs")] : []
            #expect(
                house.requests == [
                    ControlRequest(.queue, group: "downstairs"), ControlRequest(.jump(.id(7)), group: "downstairs"),
                    ControlRequest(.seek(.to(time)), group: "downstairs"),
                ] + pause + [ControlRequest(.remove([.id(20)]), group: "downstairs")])
        }
    }

    @Test("who has gone elsewhere meanwhile stays there")
    func elsewhere() throws {
        var house = House(entries: [(7, "/a.flac"), (20, Self.input.uri), (8, "/b.flac")], index: 2)
        let track = SinkRequest.Track(
            entry: 20, group: "downstairs", interrupted: .init(entry: 7, position: 3, wasPaused: false))
        try SinkRequest.finish(track) { (request) throws(ServiceClient.Failure) in try house.answer(request) }
        #expect(house.requests.last == ControlRequest(.remove([.id(20)]), group: "downstairs"))
        #expect(house.requests.count == 2)
        (house.requests, house.failed) = ([], 20)
        try SinkRequest.finish(track) { (request) throws(ServiceClient.Failure) in try house.answer(request) }
        #expect(house.requests.contains(ControlRequest(.jump(.id(7)), group: "downstairs")), "nobody has gone there")
        #expect(house.requests.contains(ControlRequest(.resume(), group: "downstairs")))
        house = House(entries: [(9, "/c.flac")], index: 0)
        try SinkRequest.finish(track) { (request) throws(ServiceClient.Failure) in try house.answer(request) }
        #expect(house.requests.count == 1, "it is not in the queue any more")
    }

    @Test("of a volume, only what is another one is asked for")
    func level() throws {
        func requests(
            _ level: GroupLevel, from before: GroupLevel?, of group: HouseView.Group = SinkRequestTests.group(nil)
        ) throws -> [ControlRequest] {
            var house = House(entries: [], index: nil)
            let ask: SinkRequest.Asking = { (request) throws(ServiceClient.Failure) in try house.answer(request) }
            try SinkRequest.setLevel(level, from: before, of: group, asking: ask) {}
            return house.requests
        }
        let (soft, mute) = (GroupLevel(volume: 30, isMuted: false), GroupLevel(volume: 30, isMuted: true))
        let volume = ControlRequest(.volume(.balanced(30), room: nil), group: "downstairs")
        #expect(try requests(mute, from: soft) == [ControlRequest(.mute(true, room: nil), group: "downstairs")])
        #expect(try requests(soft, from: GroupLevel(volume: 50, isMuted: false)) == [volume])
        #expect(
            try requests(soft, from: nil) == [ControlRequest(.mute(false, room: nil), group: "downstairs"), volume])
        let all = HouseView.Group(name: "", rooms: ["kitchen@10.0.0.2:7700", "bath"], isNamed: false)
        #expect(
            try requests(GroupLevel(volume: 20, isMuted: false), from: soft, of: all) == [
                ControlRequest(.volume(.by(-10), room: "kitchen@10.0.0.2:7700")),
                ControlRequest(.volume(.by(-10), room: "bath")),
            ])
        let wild = GroupLevel(volume: 153, isMuted: false)
        #expect(
            try requests(wild, from: soft) == [ControlRequest(.volume(.balanced(100), room: nil), group: "downstairs")])
    }

    @Test("a room that is asked by somebody else just now is asked again, and not for ever")
    func busy() throws {
        var (calls, pauses) = (0, 0)
        let level = GroupLevel(volume: 30, isMuted: false)
        let failure = #expect(throws: ServiceClient.Failure.self) {
            try SinkRequest.setLevel(
                level, from: nil, of: Self.group(nil),
                asking: { (_) throws(ServiceClient.Failure) in
                    calls += 1
                    throw .refused("busy", exitCode: 1)
                }
            ) { pauses += 1 }
        }
        #expect(failure == .refused("busy", exitCode: 1) && calls == 5 && pauses == 4)
    }

    /// A service that does everything.
    private struct House {
        var entries: [(UInt64, String)]
        var index: Int?
        var requests: [ControlRequest] = []
        /// The entry that could not be played.
        var failed: UInt64?

        mutating func answer(_ request: ControlRequest) throws(ServiceClient.Failure) -> ControlResponse {
            requests.append(request)
            var response = ControlResponse()
            guard case .queue = request.command else { return response }
            response.queue = QueueListing(
                entries: entries.enumerated().map { place, entry in
                    .init(
                        index: place, id: entry.0, uri: entry.1, failure: entry.0 == failed ? "no such file" : nil)
                },
                index: index, repeat: .off, shuffle: false, consume: false, crossfade: 0)
            return response
        }
    }

    private static func status(_ state: PlayerStatus.State) -> PlayerStatus {
        PlayerStatus(
            state: state, position: 10, rate: state == .playing ? 1 : 0,
            item: .init(index: 0, id: 7, duration: 200, uri: "/a.flac"), queue: .init(length: 2, index: 0), rooms: [])
    }

    private static func group(_ status: PlayerStatus?) -> HouseView.Group {
        HouseView.Group(name: "downstairs", rooms: ["kitchen"], isNamed: true, status: status, statusTime: 100)
    }
}
