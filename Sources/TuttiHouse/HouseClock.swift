package import Logging
import TuttiClock
import TuttiCore
package import TuttiRooms
import TuttiSender
package import TuttiTiming
import TuttiWire

/// Keeps idle rooms on one clock, so that they do not meet for the first time when the music starts.
///
/// Rooms that know a clock keep it among themselves, and rooms that see one another by mDNS find one by themselves. The
/// others hear of it here: now and then all are looked at, and those that know none are told of the one that most know.
/// Where nobody knows any this host begins one, and leads.
package actor HouseClock {
    private let network: RoomNetwork
    private let id: String
    private let start: @Sendable () throws -> GroupClock
    private let logger: Logger
    /// The clock that this host leads, and its name; nil while it leads none.
    private var own: (clock: GroupClock, timescale: TimescaleID)?

    /// Rooms that are looked at together.
    private static let looksAtOnce = 8

    /// - Parameter start: begins to be a member of clocks.
    package init(
        network: RoomNetwork, id: String, start: @escaping @Sendable () throws -> GroupClock, logger: Logger
    ) {
        (self.network, self.id, self.start, self.logger) = (network, id, start, logger)
    }

    /// Looks at all rooms, and gives a clock to those without one.
    ///
    /// - Parameter rooms: those whose hosts are known.
    /// - Returns: whether all of them were there and know the clock.
    package func keep(_ rooms: [RoomAddress]) async -> Bool {
        let looks = await look(at: rooms).filter { $0.look.welcome.clockPort != nil }
        let known = looks.compactMap(\.look.welcome.clock?.timescale)
        release(unless: known)
        guard !looks.isEmpty else { return rooms.isEmpty }
        let best = SharedClock.best(of: known + (own.map { [$0.timescale] } ?? []))
        let lacking = looks.filter { $0.look.welcome.clock?.timescale != best || best == nil }
            .filter { !$0.look.isInUse }
        guard !lacking.isEmpty else { return looks.count == rooms.count }
        guard let order = order(on: best, among: looks, lacking: lacking) else { return false }
        _ = await Array(lacking.enumerated()).mapTogether(atOnce: Self.looksAtOnce) { [network] number, place in
            await network.share(place.address, order.announcement(to: place.look.welcome.id, number: number))
        }
        return false
    }

    /// Ends this host's part; the rooms continue without it.
    package func stop() {
        own?.clock.stop()
        own = nil
    }

    private func look(at rooms: [RoomAddress]) async -> [RoomBook.Place] {
        let found = await rooms.mapTogether(atOnce: Self.looksAtOnce) { [network] room in
            try? await network.look(room).map { RoomBook.Place(address: room, look: $0) }.get()
        }
        return found.compactMap(\.self).sorted { $0.look.welcome.id < $1.look.welcome.id }
    }

    /// Stops leading once no room follows this host's clock.
    private func release(unless known: [TimescaleID]) {
        guard let own, !known.isEmpty, !known.contains(own.timescale) else { return }
        stop()
    }

    /// Who shares the clock: those that know it, and then those that are told of it now.
    private func order(
        on best: TimescaleID?, among looks: [RoomBook.Place], lacking: [RoomBook.Place]
    ) -> ClockOrder? {
        let members = looks.filter { $0.look.welcome.clock?.timescale == best && best != nil }.map(\.look)
        let rooms = members + lacking.map(\.look)
        if let best, own?.timescale != best {
            // Whoever leads goes first, if that is a room.
            guard let first = members.first(where: { $0.welcome.clock?.leaderID == $0.welcome.id }) ?? members.first,
                let leader = standIn(first)
            else { return nil }
            return ClockOrder(
                timescale: best, origin: first.welcome.clock?.origin ?? "", leader: .room(leader, senderPort: nil),
                standIns: rooms.filter { $0.welcome.id != first.welcome.id }.compactMap(standIn))
        }
        guard let own = own ?? lead() else { return nil }
        return ClockOrder(
            timescale: own.timescale, origin: id, leader: .sender(port: own.clock.port),
            standIns: rooms.compactMap(standIn))
    }

    private func standIn(_ look: RoomLook) -> ClockOrder.StandIn? {
        look.welcome.clockPort.map { ClockOrder.StandIn(id: look.welcome.id, host: look.host, port: $0) }
    }

    private func lead() -> (clock: GroupClock, timescale: TimescaleID)? {
        guard let clock = try? start() else { return nil }
        own = (clock, clock.lead())
        logger.info("leading a clock for rooms that have none")
        return own
    }
}
