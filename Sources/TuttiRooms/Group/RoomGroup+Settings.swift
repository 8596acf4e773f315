import TuttiCore
import TuttiWire

/// What the rooms themselves are set to.
extension RoomGroup {
    /// The rooms of this name that are connected; with nil, all that are.
    ///
    /// - Throws: `noSuchRoom`, `roomUnreachable`.
    package func members(named name: String?) throws(SenderError) -> [any GroupRoom] {
        guard let name else { return members.filter(\.isUp) }
        guard let room = rooms.first(where: { Names.areSame($0.label, name) }) else {
            throw .noSuchRoom(name)
        }
        guard room.isUp else { throw .roomUnreachable(room.label, reason: "the room is not connected") }
        return [room]
    }

    /// Sets how loud a room is, as far as it can be set to that.
    func setLoudness(_ loudness: VolumeCommand, of room: Room) {
        let loudness = room.loudness.set(loudness, now: now)
        carryOut(room.session.send(.volume(loudness), now: now), in: room)
        room.status?.volume = loudness.percent
        room.status?.isMuted = loudness.isMuted
    }

    /// Gives a room another name.
    func setName(_ name: String, of room: Room) throws(SenderError) {
        guard room.session.welcome?.takesName == true else { throw .cannotBeNamed(room.label) }
        carryOut(room.session.send(.name(name), now: now), in: room)
        room.told(name: name)
        report(.changed)
    }

    /// Sets a room's output delay, in milliseconds of ±5000: how late its output is before correction.
    func setOutputDelay(_ milliseconds: Double, of room: Room) {
        carryOut(room.session.send(.outputDelay(milliseconds: milliseconds), now: now), in: room)
        room.status?.outputDelayMs = milliseconds
    }
}
