import Testing
import TuttiCore
import TuttiRooms
import TuttiWire

/// What each of many rooms is told of those that share the clock.
@Suite struct ClockOrderTests {
    private static func room(_ number: Int) -> ClockOrder.StandIn {
        ClockOrder.StandIn(id: "room-\(number)", host: "10.0.\(number / 250).\(number % 250)", port: 7_700)
    }

    private static func order(_ count: Int, leader: Int?) -> ClockOrder {
        ClockOrder(
            timescale: TimescaleID(rawValue: 7), origin: "desk",
            leader: leader.map { .room(room($0), senderPort: 4_000) } ?? .sender(port: 4_000),
            standIns: (0..<count).filter { $0 != leader }.map(room))
    }

    /// Whom a room asks first, as a speaker reads what it is told.
    private static func asked(_ announcement: ClockAnnouncement) -> String { announcement.leaderID ?? "sender" }

    @Test("few rooms are all named, and all ask the leader", arguments: [nil, 0, 5] as [Int?])
    func few(leader: Int?) {
        let order = Self.order(12, leader: leader)
        for number in 0..<12 {
            let told = order.announcement(to: Self.room(number).id, number: number)
            #expect(told.standIns == order.standIns && Self.asked(told) == leader.map { "room-\($0)" } ?? "sender")
            #expect(told.senderPort == (leader == nil ? nil : 4_000))
        }
    }

    @Test(
        "of many rooms few are named, none is asked by many, and each knows the way to the leader",
        arguments: [17, 40, 200, 1_000], [nil, 3] as [Int?])
    func many(count: Int, leader: Int?) {
        let order = Self.order(count, leader: leader)
        let leading = leader.map { "room-\($0)" } ?? "sender"
        var asks: [String: Int] = [:]
        for number in 0..<count {
            let id = Self.room(number).id
            let told = order.announcement(to: id, number: number)
            #expect(told.standIns.count <= ClockOrder.names)
            if id != leading { asks[Self.asked(told), default: 0] += 1 }
            let names = Set(told.standIns.map(\.id) + [Self.asked(told)])
            #expect(names.contains(leading) || leader == nil && told.senderPort == 4_000 || Self.asked(told) == leading)
            // Nobody who is named is told to ask somebody who asks it.
            if order.members.contains(where: { $0.id == id }) { #expect(Self.asked(told) == leading) }
        }
        #expect(asks[leading] ?? 0 <= ClockOrder.names)
        #expect(asks.values.max() ?? 0 <= max(ClockOrder.names, count / ClockOrder.names + 1))
    }

    @Test(
        "the first stand-ins are enough to tell each room what it is told of all",
        arguments: [12, 16, 17, 18, 40, 200], [nil, 3] as [Int?])
    func listed(count: Int, leader: Int?) {
        let whole = Self.order(count, leader: leader)
        var short = whole
        short.standIns = Array(whole.standIns.prefix(ClockOrder.listed))
        for number in 0..<count {
            let id = Self.room(number).id
            #expect(short.announcement(to: id, number: number) == whole.announcement(to: id, number: number))
        }
        #expect(short.members == whole.members)
    }
}
