import TuttiCore
package import TuttiRooms
import TuttiSchema

/// Rooms that come and go while it plays, because people want them to.
extension Player {
    /// Plays in this room too: it falls in where the others are. One without a host is looked up on the network, until
    /// it is found.
    ///
    /// - Throws: `notNow` when it is one of the rooms already.
    package func addRoom(_ address: RoomAddress) throws(SenderError) {
        defer { commit() }
        guard isAlive else { throw .nothingPlaying }
        if let room = group.members.first(where: { $0.isCalled(address.name) || $0.address == address }) {
            guard room.isTaken else { throw .notNow("\(room.label) is already one of the rooms") }
            room.takeOver()
        } else {
            group.add(address, isDiscovered: address.host == nil, isClaim: true)
        }
    }

    /// Plays in this room no more: it fades out, and is free.
    ///
    /// - Parameter name: the room's name, its speaker's id or its address.
    /// - Throws: `noSuchRoom`, or `notNow` when it is the only one.
    package func removeRoom(_ name: String) throws(SenderError) {
        defer { commit() }
        guard isAlive else { throw .nothingPlaying }
        guard let room = group.members.first(where: { $0.isCalled(name) || $0.address.endpoint == name }) else {
            throw .noSuchRoom(name)
        }
        guard group.members.count > 1 else { throw .notNow("\(room.label) is the only room; stop playback instead") }
        group.remove(room)
        emit(.room(name: room.label, .removed, message: ""))
        advance()
    }

    /// These rooms are played in by another group of the same sender now, which they hear from that one.
    package func leaveToOthers(_ rooms: [RoomAddress]) {
        defer { commit() }
        group.forgetRelease { room in
            rooms.contains { $0.isMeant(by: room.label, room.address.endpoint) || $0.name == room.speakerID }
        }
    }

    /// A person has asked other senders to play in all of the rooms: playback pauses until somebody resumes it.
    func giveWay() {
        if let restored { standBy(restored) } else { group.hold(at: position) }
        phase = .paused
        emit(.state(.paused))
    }

    /// Ends without a goodbye to the rooms, which play on from their buffers: another player resumes from the record.
    package func detach() {
        guard isAlive else { return }
        commit()
        end(PlayerOutcome(exitCode: 0, message: nil)) { $0.hangUp() }
    }
}
