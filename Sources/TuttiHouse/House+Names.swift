import TuttiCore
import TuttiRooms
import TuttiSchema
import TuttiSender
import TuttiStore

/// What rooms are called.
extension House {
    /// Gives a room another name, whether something plays there or not. Groups and schedules that have the room have it
    /// under that name then.
    ///
    /// - Throws: `.badOption` for what is no name, `.refused` for one that another room has; why the room does not
    ///   answer, or cannot be given a name.
    func rename(_ room: String, to name: String) async throws(SenderError) -> ControlAnswer {
        try RoomName.check(name)
        guard Names.areSame(room, name) || known[Names.fold(name)] == nil else {
            throw .refused("there is a room called '\(name)' already", exitCode: 4)
        }
        return try await inTurn { () async throws(SenderError) in
            let (before, now) = try await self.tellSpeaker(of: room, name)
            return try await self.note(now, calledBefore: before.name)
        }
    }

    /// A room has another name: what is known under the old one, or refers to it, has the new one then.
    private func note(_ room: RoomStatus, calledBefore name: String) throws(SenderError) -> ControlAnswer {
        try store.renameRoom(name, to: room.name)
        if var entry = known.removeValue(forKey: Names.fold(name)) {
            entry.name = room.name
            known[Names.fold(room.name)] = entry
        }
        schedules = try store.schedules()
        remember([room])
        var response = ControlResponse(status: PlayerStatus(idle: [room]))
        response.room = room.name
        return ControlAnswer(response)
    }

    /// - Returns: how the room stood before, and how it stands now.
    private func tellSpeaker(
        of room: String, _ name: String
    ) async throws(SenderError) -> (before: RoomStatus, now: RoomStatus) {
        guard let key = await key(ofRoom: room), let player = playing[key]?.player else {
            let address = try RoomAddress(parsing: room)
            let before = try await idle.level(of: address)
            return (before, try await idle.set(.name(name), of: address))
        }
        let before = await player.status().rooms.first { Names.areSame($0.name, room) }
        try await player.setName(name, room: room)
        let now = await player.status().rooms.first { $0.name == name }
        guard let before, let now else { throw .noSuchRoom(room) }
        return (before, now)
    }
}
