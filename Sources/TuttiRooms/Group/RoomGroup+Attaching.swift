import TuttiClock
package import TuttiCore
import TuttiTiming
import TuttiWire

/// Rooms that already play what this sender is to resume: an earlier process of it, or one on another host, began it.
///
/// They are left as they are until all that can be reached have reported their buffers, their timebase and their clock.
/// Then the owner decides, and each is sent what it lacks.
extension RoomGroup {
    /// Plays in this room as before.
    package func add(restoring record: StoredRoom) {
        let room = makeRoom(restoring: record)
        join(room)
        connect(room)
    }

    func makeRoom(restoring record: StoredRoom) -> Room {
        let session = SenderSession(
            senderID: configuration.identity.id, senderName: configuration.identity.name, streamID: streamID,
            policy: configuration.policy, generation: record.generation,
            unanswered: record.flushes.map { SenderSession.Flush(generation: $0.generation, from: $0.from) })
        let room = Room(self, address: record.address, isDiscovered: record.isDiscovered, session: session)
        room.speakerID = record.speakerID
        // Where it does not answer there it is looked for.
        room.care.speaker = record.speakerID.map { ($0, record.address) }
        room.hasBeenUp = true
        room.loudness = RoomLoudness(
            balance: record.balance,
            unconfirmed: record.percent.map { VolumeCommand(percent: $0, isMuted: record.isMuted) })
        return room
    }

    /// The rooms that have reported their buffers and wait for what becomes of them.
    var greeted: [Room] { rooms.filter { $0.link == .welcomed } }

    /// Joins the clock `timescale`, asking the room that keeps it if that is there, else any that knows it.
    ///
    /// - Parameter timescale: nil for whichever is known.
    /// - Returns: false when no room knows it.
    package func joinClock(_ timescale: TimescaleID?) -> Bool {
        let members = greeted.compactMap { room -> (room: Room, known: KnownClock, isKeeper: Bool)? in
            guard let welcome = room.session.welcome, let known = welcome.clock, room.clock.address != nil,
                timescale == nil || known.timescale == timescale
            else { return nil }
            return (room, known, known.leaderID == welcome.id)
        }
        guard let member = members.first(where: \.isKeeper) ?? members.first,
            let address = member.room.clock.address
        else { return false }
        let known = member.known
        let others = members.lazy.filter { $0.room !== member.room && $0.known.timescale == known.timescale }
        plan.join(known.timescale, origin: known.origin, leader: member.room.number)
        clock.follow(
            known.timescale, parents: [address] + others.compactMap(\.room.clock.address),
            startingFrom: estimate(of: known))
        adoptReference(of: known.timescale)
        return true
    }

    /// Stands at `playhead` from now on, without a word to the rooms.
    ///
    /// - Parameter end: where the timeline ends, if that is known.
    package func adopt(_ playhead: Playhead, end: MediaTime?) {
        note(playhead)
        timelineEnd = end
    }

    /// What a room buffers and is to keep.
    func kept(in room: Room) -> [TimeRange] {
        let loaded = room.session.welcome?.loaded ?? []
        return room.session.isBehind ? loaded.before(firstChange) : loaded
    }

    /// Nanoseconds beyond `soon()` that rooms need to have what follows a place after it was changed: until it is
    /// opened, encoded, sent and decoded.
    package static let refillTime: Int64 = 300_000_000

    /// The first place at which rooms can still be given other audio before it plays.
    private var firstChange: MediaTime {
        guard playhead.rate > 0 else { return playhead.media }
        return playhead.media(at: soon().advanced(byNanoseconds: Self.refillTime))
    }

    /// Tells a room that has reported its buffer the clock and the timebase, has it drop what is not to stay, and
    /// begins to send what it lacks.
    ///
    /// - Parameter end: where it was told that the timeline ends, as far as is known here.
    func takeUp(_ room: Room, _ welcome: Welcome, knownEnd end: MediaTime?) {
        precondition(phase != .attaching, "rooms are left as they are until all have answered")
        room.feed.begin(at: SenderSession.resumePoint(after: kept(in: room), playhead: position))
        agreeOnClock(with: room, welcome)
        if room.session.isBehind { carryOut(room.session.flush(from: firstChange, now: now), in: room) }
        if let told = welcome.end, told != end { carryOut(room.session.flush(from: told, now: now), in: room) }
        open(room, role: .media)
    }
}
