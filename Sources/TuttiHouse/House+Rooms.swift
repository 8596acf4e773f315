import Logging
import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// Rooms come and go. A room is in one group at a time: the one that asked for it last.
extension House {
    /// Takes rooms out of all groups that play but one; a group that has no room left ends.
    func free(_ rooms: [RoomAddress], except key: String) async throws(SenderError) {
        for (other, group) in playing where other != key {
            let present = await group.player.status().rooms
            let taken = present.filter { room in rooms.contains { $0.isMeant(by: room.name, room.address) } }
            if taken.isEmpty { continue }
            logger.info(
                "rooms moved to another group",
                metadata: [
                    "group": "\(names[other] ?? other)", "rooms": "\(taken.map(\.name).joined(separator: " "))",
                ])
            if taken.count == present.count {
                await end(other)
            } else {
                for room in taken { try await group.player.removeRoom(room.name) }
            }
        }
        for (other, group) in playing where other != key { await group.player.leaveToOthers(rooms) }
    }

    /// Changes a named group; where it plays, its rooms follow.
    ///
    /// - Returns: all groups after that, and what else came of it.
    func editGroup(_ command: ControlRequest.GroupCommand) async throws(SenderError) -> ControlResponse {
        var response = ControlResponse()
        if command != .list {
            let change = try await GroupEdit(command, store: store, book: book)
            response.notices = try change.carryOut(in: store)
            remember(change.found)
            if case .delete = command {
                schedules = try store.schedules()
                wake()
            } else {
                try await follow(change)
            }
            keepClock()
        }
        response.groups = try store.groups().mapValues { $0.map(\.description) }
        return response
    }

    /// Lets the rooms of a group that plays be those that it has now. Those that were named come, even if they were in
    /// it before and another group had taken them.
    private func follow(_ change: GroupEdit) async throws(SenderError) {
        let key = Names.fold(change.name)
        guard let group = playing[key] else { return }
        let (before, after) = (change.before, try store.groups()[change.name] ?? [])
        let present = await group.player.status().rooms
        let come = change.places.filter { room in
            !present.contains { room.isMeant(by: $0.name, $0.address) && $0.state != .taken }
        }
        let left = before.filter { old in !after.contains { $0.label == old.label } }
        let gone = present.filter { room in left.contains { $0.isMeant(by: room.name, room.address) } }
        try await free(come, except: key)
        for room in come { try await group.player.addRoom(room) }
        if gone.count == present.count, come.isEmpty, !gone.isEmpty { return await end(key) }
        for room in gone { try await group.player.removeRoom(room.name) }
    }

    // MARK: What happens

    /// Handles an event of a player.
    func note(_ event: PlayerEvent, of key: String, _ serial: Int) {
        guard playing[key]?.serial == serial else { return }
        let metadata: Logger.Metadata = ["group": "\(names[key] ?? key)"]
        switch event {
        case .room(let room, .lost, let reason), .room(let room, .state(.unreachable), let reason):
            logger.warning("\(room) is lost: \(reason)", metadata: metadata)
        case .room(let room, .connected, _): logger.info("\(room) is connected", metadata: metadata)
        case .room(let room, _, let reason) where !reason.isEmpty:
            logger.notice("\(room): \(reason)", metadata: metadata)
        case .itemFailed(_, let uri, let message, _):
            logger.warning("\(uri) is skipped: \(message)", metadata: metadata)
        case .notice(let notice): logger.notice("\(notice)", metadata: metadata)
        case .stalled: logger.warning("waiting for data", metadata: metadata)
        case .progress(let status):
            remember(status.rooms)
            listen(status, in: key)
        case .room, .state, .item, .finished: break
        }
    }

    /// Stores what has changed of rooms that are connected.
    func remember(_ rooms: [RoomStatus]) {
        let changed = rooms.compactMap { room -> HouseStore.KnownRoom? in
            guard let volume = room.volume else { return nil }
            let now = HouseStore.KnownRoom(
                name: room.name, speaker: room.id, address: room.address, volume: volume, isMuted: room.muted)
            return known[Names.fold(room.name)] == now ? nil : now
        }
        guard !changed.isEmpty else { return }
        // The store reports what it cannot write; the next change tries again.
        guard (try? store.remember(changed)) != nil else { return }
        let places = Set(known.values.map(\.address))
        for room in changed { known[Names.fold(room.name)] = room }
        if !changed.allSatisfy({ places.contains($0.address) }) { keepClock() }
    }
}
