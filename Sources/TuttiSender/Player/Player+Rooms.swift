import NIOCore
import TuttiCore
import TuttiRooms
import TuttiSchema

/// The rooms: which there are, and what they report.
extension Player: RoomGroupOwner {
    /// Finds the rooms' addresses and begins to connect.
    func startRooms() {
        let named = configuration.rooms.filter { $0.host == nil }
        let known = configuration.rooms.filter { $0.host != nil }
        for address in known { group.add(address, isDiscovered: false, isClaim: true) }
        guard !named.isEmpty else { return checkRooms() }
        lookedUp = named
        group.findRooms(Set(named.map(\.name))).whenSuccess { found in
            self.assumeIsolated { $0.add(named, found) }
        }
    }

    private func add(_ named: [RoomAddress], _ found: RoomResolver.Findings) {
        lookedUp = []
        guard phase != .finished else { return }
        deadline = max(deadline, now.advanced(byNanoseconds: configuration.connectTimeout / 4))
        for address in named {
            switch found[address.name] {
            case .success(let place)?: group.add(place, isDiscovered: true, isClaim: true)
            case .failure(let error)?:
                guard configuration.allowsMissingRooms else { return finish(error) }
                emit(.room(name: address.name, .state(.unreachable), message: error.description))
            case nil: break
            }
        }
        checkRooms()
    }

    func checkRooms() {
        if group.members.isEmpty { finish(.roomNotFound("", reason: "no rooms are left to play in")) }
    }

    nonisolated func take(_ event: RoomGroupEvent) {
        assumeIsolated { player in
            switch event {
            case .room(let name, let event, let message):
                player.emit(.room(name: name, event, message: message))
            case .changed: player.advance()
            case .sent(let time): player.extendProduction(beyond: time)
            case .lacking: player.makeAgainSoon()
            case .heldBack: player.commit()
            case .abandoned(.roomTaken) where player.configuration.staysAtEnd: player.giveWay()
            case .abandoned(let error): player.finish(error)
            }
        }
    }
}
