import NIOCore
import TuttiCore
import TuttiWire

/// Rooms that were taken out and may not know it: they would play on from their buffers, for minutes.
///
/// Each is called again and again until it confirms that it has read the goodbye, or until somebody else plays there.
extension RoomGroup {
    /// Nanoseconds between two attempts.
    private static let releaseRetryInterval: Int64 = 1_000_000_000
    /// How long a speaker is given to hang up.
    private static let hangUpTimeout = TimeAmount.milliseconds(500)

    /// Plays in this room no more.
    package func remove(_ member: any GroupRoom) {
        guard let room = rooms.first(where: { $0 === member }) else { return }
        rooms.removeAll { $0 === room }
        let wasUp = room.isUp
        if wasUp { part(from: room) }
        leaveClock(of: room)
        leaveOrder(of: room)
        guard room.hasBeenUp, !isOverlay else { return close(room) }
        precondition(!isReleased(room), "a room is released once")
        room.session.isClaim = false
        released.append(room)
        if !wasUp { callAgain(room) }
    }

    /// Calls a room that an earlier process could not say goodbye to.
    package func release(restoring record: StoredRoom) {
        let room = makeRoom(restoring: record)
        released.append(room)
        connect(room)
    }

    /// The room is played in again, by this timeline or another one.
    package func forgetRelease(to isMeant: (any GroupRoom) -> Bool) {
        for room in released where isMeant(room) { endRelease(room) }
    }

    func isReleased(_ room: Room) -> Bool { released.contains { $0 === room } }

    /// Says goodbye to a room that is connected; when it has not hung up soon it has not read that.
    func part(from room: Room) {
        room.release.tell()
        carryOut(room.session.send(.goodbye(reason: "the room was removed from the group"), now: now), in: room)
        let (number, attempt, group) = (room.number, room.attempt, bound)
        loop.scheduleTask(in: Self.hangUpTimeout) {
            guard let room = group.value.room(number), room.attempt == attempt else { return }
            group.value.callAgain(room)
        }
    }

    /// A room that was taken out has answered.
    func greetReleased(_ room: Room, _ welcome: Welcome) {
        guard room.speakerID.map({ $0 == welcome.id }) ?? true else { return callAgain(room) }
        part(from: room)
    }

    /// A connection to such a room is over.
    func closedReleased(_ room: Room) {
        let welcome = room.session.welcome
        let holdsNothing = welcome.map { $0.timebase == nil && $0.loaded.isEmpty } ?? false
        if room.release.isOver(holdsNothing: holdsNothing) { endRelease(room) } else { callAgain(room) }
    }

    /// Tries again after a while.
    func callAgain(_ room: Room) {
        precondition(isReleased(room), "only a released room is called again")
        close(room)
        room.release.callAgain()
        room.link = .down(retryAt: now.advanced(byNanoseconds: Self.releaseRetryInterval))
        lookElsewhere(for: room)
    }

    func endRelease(_ room: Room) {
        precondition(isReleased(room), "only a release can end")
        close(room)
        released.removeAll { $0 === room }
        // It need not be remembered any more.
        report(.heldBack)
    }
}
