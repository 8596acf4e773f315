import TuttiCore
import TuttiHost
import TuttiRooms
import TuttiSender
import TuttiStore

/// The rooms' clock while nothing plays.
extension House {
    /// How long after the start, a change of the rooms, and each look, rooms are looked at again, in seconds: soon at
    /// first.
    private static let clockPauses: [Double] = [0.5, 5, 15, 30]
    /// The same once all of them share a clock.
    private static let calmPause = 60.0
    /// Seconds from one look at all rooms to the next, however many groups begin meanwhile.
    private static let leastPause = 5.0

    /// Keeps all rooms on one clock, until the house is left; looks at them soon, for there may be new ones.
    func keepClock() {
        guard !isVisiting, !isLeaving else { return }
        let clock =
            houseClock
            ?? HouseClock(
                network: configuration.network, id: configuration.identity.id, start: configuration.startClock,
                logger: logger)
        houseClock = clock
        clockKeeper?.cancel()
        let since = clockLookedAt.map { Double(configuration.clock.now().nanoseconds(since: $0)) / 1e9 }
        let rest = since.map { Self.leastPause - $0 }
        clockKeeper = Task { [weak self] in
            var pauses = Self.clockPauses[...]
            var pause = max(pauses.removeFirst(), rest ?? 0)
            while (try? await Task.sleep(for: .seconds(pause))) != nil {
                guard let rooms = await self?.roomsToLookAt() else { return }
                let isDone = await clock.keep(rooms)
                pause = isDone ? Self.calmPause : pauses.popFirst() ?? Self.clockPauses.last ?? Self.calmPause
            }
        }
    }

    /// Leaves the rooms' clock to them.
    func leaveClock() async {
        clockKeeper?.cancel()
        await houseClock?.stop()
    }

    /// Takes note that all rooms are looked at now; gives them.
    private func roomsToLookAt() -> [RoomAddress] {
        let rooms = placedRooms
        if !rooms.isEmpty { clockLookedAt = configuration.clock.now() }
        return rooms
    }

    /// All rooms whose hosts are known: those that were played in, and those of groups.
    private var placedRooms: [RoomAddress] {
        var rooms = known.values.compactMap { try? RoomAddress(parsing: "\($0.name)@\($0.address)") }
        let groups = (try? store.groups()) ?? [:]
        for room in groups.values.flatMap(\.self) where room.host != nil {
            if !rooms.contains(where: { room.isMeant(by: $0.name, $0.endpoint) }) { rooms.append(room) }
        }
        return rooms
    }
}
