import Logging
import Synchronization
import Testing
import TuttiClock
import TuttiCore
import TuttiHost
import TuttiHouse
import TuttiRooms
import TuttiSender
import TuttiTiming
import TuttiWire

/// Which rooms a house tells of which clock.
@Suite struct HouseClockTests {
    /// Rooms on paper, which take what they are told.
    private final class Rooms: Sendable {
        struct Room {
            var clock: KnownClock?
            var state = SpeakerStatus.State.idle
            var takesPart = true
        }

        private let rooms: Mutex<[String: Room]>
        let told = Mutex<[(room: String, order: ClockAnnouncement)]>([])

        init(_ rooms: [String: Room]) { self.rooms = Mutex(rooms) }

        var clocks: [String: UInt64] { rooms.withLock { $0.compactMapValues(\.clock?.timescale.rawValue) } }

        func forget(_ name: String) { rooms.withLock { $0[name]?.clock = nil } }

        var network: RoomNetwork {
            let look = { @Sendable (address: RoomAddress) async -> Result<RoomLook, SenderError> in
                self.look(at: address)
            }
            return RoomNetwork(
                find: { _ in [:] }, look: look,
                share: { address, order in
                    self.told.withLock { $0.append((address.name, order)) }
                    self.rooms.withLock {
                        $0[address.name]?.clock = KnownClock(
                            timescale: order.timescale, time: 0, origin: order.origin, leaderID: order.leaderID)
                    }
                    return await look(address)
                }, open: { _, _, _ in .success(nil) })
        }

        private func look(at address: RoomAddress) -> Result<RoomLook, SenderError> {
            guard let room = rooms.withLock({ $0[address.name] }) else {
                return .failure(.roomUnreachable(address.label, reason: "nobody answers"))
            }
            let welcome = Welcome(
                id: address.name, name: address.name, bufferSeconds: 300, bufferBytes: 1, codecs: [], device: "null",
                deviceFormat: "", clockPort: room.takesPart ? 7_700 : nil, clock: room.clock)
            return .success(RoomLook(welcome: welcome, status: SpeakerStatus(state: room.state)))
        }
    }

    private static func clock(_ number: UInt64, leader: String? = nil) -> KnownClock {
        KnownClock(timescale: TimescaleID(rawValue: number), time: 0, origin: "somebody", leaderID: leader)
    }

    private static func addresses(_ names: [String]) -> [RoomAddress] {
        names.map { RoomAddress(name: $0, host: "10.0.0.7") }
    }

    private static func keeper(_ rooms: Rooms) -> HouseClock {
        HouseClock(
            network: rooms.network, id: "house",
            start: { try GroupClock(hostClock: HostClock(), address: "127.0.0.1") },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("rooms that know no clock get one that this host leads; once all know it nothing more is said")
    func first() async {
        let rooms = Rooms(["a": .init(), "b": .init(), "c": .init(state: .playing), "d": .init(takesPart: false)])
        let keeper = Self.keeper(rooms)
        let all = Self.addresses(["a", "b", "c", "d"])
        #expect(await !keeper.keep(all))
        #expect(Set(rooms.told.withLock { $0.map(\.room) }) == ["a", "b"], "not where somebody plays")
        #expect(Set(rooms.clocks.values).count == 1)
        let orders = rooms.told.withLock { $0.map(\.order) }
        #expect(orders.allSatisfy { $0.leaderID == nil && $0.leaderPort > 0 && $0.origin == "house" })
        _ = await keeper.keep(all)
        #expect(rooms.told.withLock { $0.count } == 2)
        rooms.forget("b")
        _ = await keeper.keep(all)
        #expect(rooms.told.withLock { $0.map(\.room) }.last == "b" && Set(rooms.clocks.values).count == 1)
        await keeper.stop()
    }

    @Test("where rooms know a clock the others are told of that one, which most know, and of the room that leads it")
    func known() async throws {
        let rooms = Rooms([
            "a": .init(), "b": .init(clock: Self.clock(9, leader: "c")), "c": .init(clock: Self.clock(9, leader: "c")),
            "d": .init(clock: Self.clock(7)),
        ])
        let keeper = Self.keeper(rooms)
        _ = await keeper.keep(Self.addresses(["a", "b", "c", "d"]))
        #expect(Set(rooms.told.withLock { $0.map(\.room) }) == ["a", "d"])
        #expect(Set(rooms.clocks.values) == [9])
        let order = try #require(rooms.told.withLock { $0.first?.order })
        #expect(order.leaderID == "c" && order.origin == "somebody" && order.standIns.map(\.id) == ["b", "a", "d"])
        #expect(await keeper.keep(Self.addresses(["a", "b", "c", "d"])), "all is well")
    }

    @Test("of many rooms none is asked by more than a few, whoever leads", arguments: [nil, 9] as [UInt64?])
    func many(known: UInt64?) async {
        let names = (100..<300).map(String.init)
        let leader = known.map { Self.clock($0, leader: "100") }
        let rooms = Rooms(
            Dictionary(uniqueKeysWithValues: names.map { ($0, .init(clock: $0 == "100" ? leader : nil)) }))
        let keeper = Self.keeper(rooms)
        _ = await keeper.keep(Self.addresses(names))
        let orders = rooms.told.withLock { $0.map(\.order) }
        #expect(orders.count == (known == nil ? 200 : 199))
        #expect(orders.allSatisfy { $0.standIns.count <= ClockOrder.names })
        let asked = Dictionary(grouping: orders) { $0.leaderID ?? "house" }
        #expect((asked.values.map(\.count).max() ?? 0) <= ClockOrder.names)
        await keeper.stop()
    }

    @Test("rooms that are away are waited for, and harm nothing")
    func away() async {
        let rooms = Rooms(["a": .init(clock: Self.clock(9)), "b": .init(clock: Self.clock(9))])
        let keeper = Self.keeper(rooms)
        #expect(await !keeper.keep(Self.addresses(["a", "b", "gone"])))
        #expect(rooms.told.withLock { $0.isEmpty })
        #expect(await keeper.keep([]))
    }
}
