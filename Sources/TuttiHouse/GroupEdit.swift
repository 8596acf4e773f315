import TuttiCore
package import TuttiRooms
package import TuttiSchema
import TuttiSender
package import TuttiStore

/// A change of a named group of rooms, checked before anything is changed.
package struct GroupEdit: Sendable {
    /// The group, as it is stored or will be.
    package let name: String
    /// Its rooms before.
    let before: [RoomAddress]
    /// The rooms that were named, as they are to be stored.
    private(set) var rooms: [RoomAddress] = []
    /// The same, each with its host where it answers.
    private(set) var places: [RoomAddress] = []
    /// How those that answer are.
    private(set) var found: [RoomStatus] = []
    /// What is to be known about rooms that are away.
    private var notices: [String] = []
    private let command: ControlRequest.GroupCommand

    /// Checks a change.
    ///
    /// - Parameter command: any but `list`.
    /// - Throws: `.noSuchGroup`, `.roomNotFound` for rooms that nobody knows, `.badRoom`, `.badOption`.
    package init(_ command: ControlRequest.GroupCommand, store: HouseStore, book: RoomBook) async throws(SenderError) {
        guard let name = command.name, !name.isEmpty else { throw .badOption("the group's name is missing") }
        let groups = try store.groups()
        let stored = groups.first { Names.areSame($0.key, name) }
        self.command = command
        self.name = stored?.key ?? name
        before = stored?.value ?? []
        switch command {
        case .set(_, let names), .add(_, let names): try await look(for: names, book)
        case .remove, .delete:
            guard stored != nil else { throw .unknownGroup(name, among: groups.keys) }
            guard case .remove(_, let names) = command else { return }
            for room in names { rooms.append(try member(room)) }
        case .list: break
        }
    }

    private mutating func look(for names: [String], _ book: RoomBook) async throws(SenderError) {
        var wanted: [RoomAddress] = []
        for room in names { wanted.append(try RoomAddress(parsing: room)) }
        for (room, found) in zip(wanted, await book.find(wanted)) {
            var kept = room
            var place = room
            switch found {
            case .success(let there):
                place = there.address
                self.found.append(RoomStatus(there.address, there.look))
                if !room.name.isEmpty { kept.name = there.address.name }
            case .failure(let absence):
                guard absence.isKnown else { throw absence.error }
                if let known = book.entry(named: room.name) { kept.name = known.name }
                notices.append("\(absence.error)")
            }
            guard !rooms.contains(kept) else { continue }
            rooms.append(kept)
            places.append(place)
        }
    }

    private func member(_ room: String) throws(SenderError) -> RoomAddress {
        let member = before.first { Names.areSame($0.label, room) || $0.description == room }
        guard let member else { throw .notNow("\(room): not in the group \(name)") }
        return member
    }

    /// Makes the change.
    ///
    /// - Returns: what else came of it, a line each.
    package func carryOut(in store: HouseStore) throws(SenderError) -> [String] {
        let known = found.map { room in
            HouseStore.KnownRoom(
                name: room.name, speaker: room.id, address: room.address, volume: room.volume, isMuted: room.muted)
        }
        if !known.isEmpty { try store.remember(known) }
        switch command {
        case .list: break
        case .set: try store.setGroup(name, to: rooms)
        case .add: try store.add(rooms, toGroup: name)
        case .remove: try store.remove(rooms.map(\.description), fromGroup: name)
        case .delete:
            try store.deleteGroup(name)
            return try store.removeSchedules(ofGroup: name)
        }
        return notices
    }
}
