import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// How loud rooms are, whether something plays there or not.
extension House {
    /// Sets volumes and mutes of rooms in which nothing plays; nil when the request is for what plays in one group.
    func level(_ request: ControlRequest) async throws(SenderError) -> ControlAnswer? {
        guard let change = Self.change(request) else { return nil }
        if let room = request.room {
            guard request.group == nil, await key(ofRoom: room) == nil else { return nil }
            let status = try await idle.set(change, of: try RoomAddress(parsing: room))
            return ControlAnswer(Self.response([status], room: status.name))
        }
        guard let name = request.group, playing[Names.fold(name)] == nil else { return nil }
        let groups = try store.groups()
        guard let group = groups.first(where: { Names.areSame($0.key, name) }) else { return nil }
        let idle = idle
        let statuses = try await inTurn { () async throws(SenderError) in
            let change = await Self.resolved(change, in: group.value, idle)
            var statuses: [RoomStatus] = []
            for room in group.value { statuses.append(try await idle.set(change, of: room)) }
            return statuses
        }
        return ControlAnswer(Self.response(statuses))
    }

    /// A volume that keeps the balance, as the step that it is now for these rooms.
    private static func resolved(
        _ change: IdleRooms.Change, in rooms: [RoomAddress], _ idle: IdleRooms
    ) async -> IdleRooms.Change {
        guard case .volume(let volume) = change, case .balanced = volume else { return change }
        let loudest = await idle.levels(of: rooms).compactMap(\.volume).max()
        guard case .by(let step) = volume.resolved(loudest: loudest) else { return change }
        return .balance(step)
    }

    /// The group that plays in a room.
    func key(ofRoom room: String) async -> String? {
        for (key, group) in playing {
            let rooms = await group.player.status().rooms
            if rooms.contains(where: { Names.areSame($0.name, room) && $0.state != .taken }) { return key }
        }
        return nil
    }

    var idle: IdleRooms {
        IdleRooms(book: book, identity: configuration.identity, clock: configuration.clock, readings: readings)
    }

    private static func change(_ request: ControlRequest) -> IdleRooms.Change? {
        switch request.command {
        case .player(.mute(let isMuted, _)): .mute(isMuted)
        case .player(.volume(let change, _)): .volume(change)
        default: nil
        }
    }

    private static func response(_ rooms: [RoomStatus], room: String? = nil) -> ControlResponse {
        var response = ControlResponse(status: PlayerStatus(idle: rooms))
        response.room = room
        return response
    }

    /// How loud rooms are: the one that is asked for, those of a group, or all that are known.
    func levels(_ room: String?, ofGroup name: String?) async throws(SenderError) -> ControlResponse {
        var rooms: [RoomStatus] = []
        for (key, group) in playing where name.map({ Names.fold($0) == key }) ?? true {
            rooms += await group.player.status().rooms.filter { $0.volume != nil }
        }
        if let room {
            if let there = rooms.first(where: { Names.areSame($0.name, room) }) {
                return Self.response([there], room: there.name)
            }
            let there = try await idle.level(of: try RoomAddress(parsing: room))
            return Self.response([there], room: there.name)
        }
        var others = known.values.map { RoomAddress(name: $0.name) }
        if let name {
            others = try store.groups().first { Names.areSame($0.key, name) }?.value ?? []
            if others.isEmpty, rooms.isEmpty { throw .unknownGroup(name, among: try store.groups().keys) }
        }
        others.removeAll { other in rooms.contains { other.isMeant(by: $0.name, $0.address) } }
        rooms += await idle.levels(of: others)
        return Self.response(rooms.sorted { $0.name < $1.name })
    }
}
