import Testing
import TuttiCore
import TuttiDesktop
import TuttiRemote
import TuttiSchema

@Suite("Actions as requests to the service") struct PlayerActionTests {
    @Test("a command goes to its group, and to the player alone where there are no groups")
    func commands() throws {
        #expect(try Self.requests(.command(.next)) == [ControlRequest(.next, group: "downstairs")])
        let alone = Sample.group(Sample.status(), named: "")
        #expect(try Self.requests(.command(.pause), in: alone) == [ControlRequest(.pause)])
    }

    @Test("a volume is the loudest room's, and keeps the balance")
    func volume() throws {
        let rooms = [Sample.room("kitchen", volume: 40), Sample.room("bath", volume: 25)]
        #expect(
            try Self.requests(.volume(0.5), rooms: rooms) == [
                ControlRequest(.levels(room: nil), group: "downstairs"),
                ControlRequest(.volume(.balanced(50), room: nil), group: "downstairs"),
            ])
        #expect(
            try Self.requests(.volume(0), rooms: rooms).last
                == ControlRequest(.volume(.balanced(0), room: nil), group: "downstairs"))
        let unknown = #expect(throws: ServiceClient.Failure.self) { try Self.requests(.volume(0.5), rooms: []) }
        #expect(unknown == .refused("no room of this group answers", exitCode: 3))
    }

    @Test("who makes a muted group louder hears it")
    func muted() throws {
        let rooms = [Sample.room("kitchen", volume: 40, muted: true), Sample.room("bath", volume: 25, muted: true)]
        let mute = ControlRequest(.mute(false, room: nil), group: "downstairs")
        #expect(try Self.requests(.volume(0.1), rooms: rooms).contains(mute))
        #expect(try !Self.requests(.volume(0), rooms: rooms).contains(mute))
        let some = [Sample.room("kitchen", volume: 40, muted: true), Sample.room("bath", volume: 25)]
        #expect(try !Self.requests(.volume(0.1), rooms: some).contains(mute))
    }

    @Test("what is opened plays next, at once, and the queue is kept")
    func open() throws {
        let input = ControlInput(uri: "/srv/a.flac")
        #expect(
            try Self.requests(.open(input)) == [
                ControlRequest(.insert([input]), group: "downstairs"), ControlRequest(.queue, group: "downstairs"),
                ControlRequest(.jump(.id(12)), group: "downstairs"), ControlRequest(.resume(), group: "downstairs"),
            ])
    }

    @Test("where nothing plays, what is opened plays in the group's rooms")
    func openStopped() throws {
        let input = ControlInput(uri: "/srv/a.flac")
        var order = PlayOrder(inputs: [input])
        order.groups = ["downstairs"]
        for status in [nil, Sample.status(.stopped)] {
            #expect(
                try Self.requests(.open(input), in: Sample.group(status)) == [
                    ControlRequest(.play(order, name: "downstairs", detach: true))
                ])
        }
        var group = Sample.group(Sample.status(.stopped, rooms: [Sample.room("kitchen")]))
        group.isNamed = false
        (order.groups, order.rooms) = ([], ["kitchen@kitchen.local:7700"])
        #expect(
            try Self.requests(.open(input), in: group) == [
                ControlRequest(.play(order, name: "downstairs", detach: true))
            ])
    }

    @Test("what the service refuses ends it")
    func refusal() {
        var count = 0
        let failure = #expect(throws: ServiceClient.Failure.self) {
            try PlayerAction.open(ControlInput(uri: "/a")).carryOut(in: Sample.group(Sample.status())) {
                (_) throws(ServiceClient.Failure) in
                count += 1
                throw .refused("no", exitCode: 1)
            }
        }
        #expect(failure == .refused("no", exitCode: 1) && count == 1)
    }

    /// What an action asks for, of a service that does everything.
    private static func requests(
        _ action: PlayerAction, in group: HouseView.Group = Sample.group(Sample.status()),
        rooms: [RoomStatus] = [Sample.room("kitchen")]
    ) throws(ServiceClient.Failure) -> [ControlRequest] {
        var requests: [ControlRequest] = []
        _ = try action.carryOut(in: group) { (request) throws(ServiceClient.Failure) in
            requests.append(request)
            var response = ControlResponse(status: Sample.status(rooms: rooms))
            let entries = [(0, 3), (1, 12), (2, 4)].map { QueueListing.Entry(index: $0, id: UInt64($1), uri: "/x") }
            response.queue = QueueListing(entries: entries, repeat: .off, shuffle: false, consume: false, crossfade: 0)
            return response
        }
        return requests
    }
}
