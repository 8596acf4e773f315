import NIOCore
import TuttiCore
import TuttiWire

/// Rooms that were taken out and may not know it: what they hold they would play on, for minutes.
///
/// Each is called again and again until it says that it has read the goodbye, or until somebody else plays there.
extension RoomGroup {
    /// Nanoseconds between two attempts.
    private static let farewellPause: Int64 = 1_000_000_000
    /// How long a speaker is given to hang up.
    private static let partingTime = TimeAmount.milliseconds(500)

    /// Plays in this room no more.
    func remove(_ room: Room) {
        rooms.removeAll { $0 === room }
        let wasUp = room.isUp
        if wasUp { part(from: room) }
        leaveClock(of: room)
        leaveOrder(of: room)
        guard room.hasBeenUp, !isGuest else { return close(room) }
        room.session.isClaim = false
        farewells.append(room)
        if !wasUp { callAgain(room) }
    }

    /// Calls a room that an earlier process could not say goodbye to.
    func bidFarewell(restoring record: PlayerRecord.Room) {
        let room = makeRoom(restoring: record)
        farewells.append(room)
        connect(room)
    }

    /// The room is played in again, by this programme or another one.
    func forgetFarewell(to isMeant: (Room) -> Bool) {
        for room in farewells where isMeant(room) { endFarewell(room) }
    }

    func isParting(_ room: Room) -> Bool { farewells.contains { $0 === room } }

    /// Says goodbye to a room that is connected; when it has not hung up soon it has not read that.
    func part(from room: Room) {
        room.isTold = true
        carryOut(room.session.send(.goodbye(reason: "the room was removed from the group"), now: now), in: room)
        let (number, attempt, group) = (room.number, room.attempt, bound)
        loop.scheduleTask(in: Self.partingTime) {
            guard let room = group.value.room(number), room.attempt == attempt else { return }
            group.value.callAgain(room)
        }
    }

    /// A room that was taken out has answered.
    func greetParting(_ room: Room, _ welcome: Welcome) {
        guard room.speakerID.map({ $0 == welcome.id }) ?? true else { return callAgain(room) }
        part(from: room)
    }

    /// A connection to such a room is over.
    func closedParting(_ room: Room) {
        if room.hasParted || room.isTold && holdsNothing(room) { endFarewell(room) } else { callAgain(room) }
    }

    /// Whether a room that was called for this alone has said that it has nothing of the programme. Programs from before only hang up when they have read
    /// the goodbye, which another connection may make them do as well; so they are called once more.
    private func holdsNothing(_ room: Room) -> Bool {
        guard room.isCalledAgain, let welcome = room.session.welcome else { return false }
        return welcome.timebase == nil && welcome.loaded.isEmpty
    }

    /// Tries again after a while.
    func callAgain(_ room: Room) {
        close(room)
        (room.isTold, room.isCalledAgain) = (false, true)
        room.link = .down(retryAt: now.advanced(byNanoseconds: Self.farewellPause))
        lookElsewhere(for: room)
    }

    func endFarewell(_ room: Room) {
        close(room)
        farewells.removeAll { $0 === room }
        // It need not be remembered any more.
        report(.heldBack)
    }
}
