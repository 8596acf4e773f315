package import NIOCore
import TuttiClock
package import TuttiCore
import TuttiHost
package import TuttiTiming
import TuttiWire

/// Rooms that play one timeline: connects them, feeds them from the packet log, sees to their clock and tells them the
/// timebase to play on. What the timeline is, and when it plays, is its owner's business.
///
/// Everything happens on one event loop, which is the owner's own.
package final class RoomGroup {
    let loop: any EventLoop
    let configuration: RoomGroupConfiguration
    package let clock: GroupClock
    package let host: RoomsHost
    package let streamID: UInt32
    package weak var owner: (any RoomGroupOwner)?

    /// The clock of this timeline, as the rooms are told of it.
    var plan: ClockPlan
    /// Sorted by their numbers.
    var rooms: [Room] = []
    /// Rooms that were taken out and have not confirmed it.
    var released: [Room] = []
    /// The number that the next room will have.
    var nextNumber = 0
    /// What the rooms are fed from.
    package var source = PacketSource()
    /// What rooms with a screen are fed from besides.
    package var pictures = PictureSource()
    /// How playback runs.
    package var timebase: GroupTimebase
    /// Messages that wait until what they are about is written down.
    package var outbox = Outbox()
    /// The room whose card leads playback time.
    package var reference: ReferenceChoice
    /// Nanoseconds from capture to sound of what plays live; nil where nothing does.
    package internal(set) var captureLatency: Int64?
    /// Where the timeline ends, once that is known.
    package var timelineEnd: MediaTime?
    /// Whether the rooms have begun to play: from then on they are called back whenever they are lost.
    package var hasStarted = false {
        didSet {
            guard hasStarted, !oldValue, rooms.count > Self.few else { return }
            // First they are told when.
            let group = bound
            loop.execute { group.value.feed() }
        }
    }
    /// Whether the rooms are to sound now, or as soon as they can.
    package var isToSound = false
    /// Whether links are looked at often, for rooms load.
    var isWatchingLoading = false
    /// Whether it is being looked whether rooms that know no clock ask for it.
    var isWatchingIntroductions = false
    /// What becomes of rooms that come up.
    package var phase = Phase.playing
    /// The ids of speakers that answered where others were looked for, and when.
    var answerers: [String: (id: String, at: HostTime)] = [:]
    private var pulse = Pulse()

    /// What becomes of rooms that come up.
    package enum Phase {
        /// They are left as they are until all have reported their buffers.
        case attaching
        /// They are fed.
        case playing
        /// Goodbye has been said.
        case leaving
    }

    /// The room whose card leads playback time.
    package struct ReferenceChoice {
        /// Its name; nil for none.
        package var room: String?
        /// Why there is none, where one was asked for.
        package internal(set) var problem: String?
    }

    /// What `tick` remembers.
    private struct Pulse {
        var count = 0
        var last: HostTime?
        /// The time when it was last looked at.
        var knownTime: KnownTime?
        /// What rooms were told of the household last.
        var told: TrustHandover?
    }

    var isLeaving: Bool { phase == .leaving }

    /// A group without rooms, whose clock runs.
    ///
    /// - Parameter media: where the timeline is to begin.
    /// - Throws: `SenderError.system` when the clock's socket or thread cannot be had.
    package init(
        _ configuration: RoomGroupConfiguration, startAt media: MediaTime, host: RoomsHost, loop: any EventLoop
    ) throws(SenderError) {
        self.configuration = configuration
        self.host = host
        self.loop = loop
        var random = host.random
        streamID = configuration.streamID ?? UInt32.random(in: 1...UInt32.max, using: &random)
        do {
            clock = try host.startClock(configuration.clock)
        } catch {
            throw .system(error.description)
        }
        // A sender plays nothing itself: it seldom polls others, once it knows their clock well enough to schedule by
        // it.
        clock.setIdle(true)
        let timescale = clock.lead()
        plan = ClockPlan(timescale: timescale, origin: configuration.identity.id)
        let begin = clock.now() ?? GroupTime(nanoseconds: 0, timescale: timescale)
        timebase = GroupTimebase(Playhead(rate: 0, media: media, group: begin))
        reference = ReferenceChoice(room: configuration.reference)
        timebase.reference.setLed(reference.room == nil ? nil : .card)
        signTime()
        pulse.told = configuration.identity.trust?.handover
    }

    /// The group, for what happens on its event loop later.
    var bound: NIOLoopBound<RoomGroup> { NIOLoopBound(self, eventLoop: loop) }

    func report(_ event: RoomGroupEvent) { owner?.take(event) }

    /// Adds a room to those that are played to.
    func join(_ room: Room) {
        precondition(rooms.last.map { $0.number < room.number } ?? true, "rooms are in the order of their numbers")
        rooms.append(room)
    }

    /// The room of this number, if it is still one, or has still to be told that it is not.
    ///
    /// - Complexity: O(log n): rooms are sorted by their numbers. All that happens on a connection asks for it.
    func room(_ number: Int) -> Room? {
        var (low, high) = (0, rooms.count)
        while low < high {
            let middle = (low + high) / 2
            if rooms[middle].number < number { low = middle + 1 } else { high = middle }
        }
        if low < rooms.count, rooms[low].number == number { return rooms[low] }
        return released.first { $0.number == number }
    }

    /// Nanoseconds between two ticks beyond which this host did nothing else meanwhile either.
    private static let longestTick: Int64 = 1_000_000_000

    /// Ticks between two looks at links on which nothing waits.
    private static let restingTicks = 10

    /// What is due by time: ten times a second.
    package func tick() {
        pulse.count += 1
        if let last = pulse.last, last.advanced(byNanoseconds: Self.longestTick) <= now {
            for room in rooms + released { room.session.wasHeldUp(now: now) }
        }
        pulse.last = now
        if let time = clock.now() { pulse.knownTime = KnownTime(time, by: configuration.clock) }
        for room in rooms + released {
            if case .down(let retryAt) = room.link, retryAt <= now { connect(room) }
            if let deadline = room.session.deadline, deadline <= now {
                carryOut(room.session.poll(now: now), in: room)
            }
        }
        rejoinClock()
        reviewReference(tick: pulse.count)
        clock.setSounding(playhead.rate > 0 && timelineEnd.map { position < $0 } ?? true)
        let isRestLooked = pulse.count % Self.restingTicks == 0
        if isRestLooked || !isWatchingLoading { watchQueues(ofAll: isRestLooked) }
        if pulse.count % 10 == 0 {
            reviewThinRooms()
            pulse.told = reviewTrust(told: pulse.told)
        }
        if pulse.count % 100 == 0 { reviewStandIns() }
    }

    /// The packets that rooms are fed from which decode the originals.
    package var log: PacketLog { source.log }

    // MARK: Rooms

    /// The rooms, of whatever kind.
    package var members: [any GroupRoom] { rooms }

    /// The rooms that were taken out and have not confirmed that, as they are written down.
    package var pendingReleases: [StoredRoom] { released.map(StoredRoom.init) }

    // MARK: Time

    /// Where the rooms stand, or are to start.
    package var playhead: Playhead { timebase.playhead }

    /// This host's time.
    package var now: HostTime { configuration.clock.now() }

    /// Playback time: the group's time, corrected to the card of the reference room. A clock that has just been joined
    /// is known at once, and one that was known is remembered, so there always is one.
    package var groupNow: GroupTime {
        if let time = clock.now() { return timebase.reference.playbackTime(at: time) }
        guard let knownTime = pulse.knownTime, knownTime.timescale == playhead.group.timescale else {
            return playhead.group
        }
        return timebase.reference.playbackTime(at: knownTime.now(by: configuration.clock))
    }

    /// The place in the timeline that plays now.
    package var position: MediaTime {
        let place = playhead.media(at: groupNow)
        return timelineEnd.map { min(place, $0) } ?? place
    }

    /// The instant at which a change takes effect that all rooms hear of now: late enough for the slowest of them.
    package func soon() -> GroupTime { groupNow.advanced(byNanoseconds: commandLead) }

    /// How long before an instant all rooms have to hear of what changes then, in ns.
    package var commandLead: Int64 {
        let leads = rooms.compactMap { room in room.isUp ? room.status.map(ChangeLead.nanoseconds) : nil }
        return leads.max() ?? ChangeLead.unknown
    }

    // MARK: Timebase

    /// Tells all rooms the new timebase.reference.
    package func move(_ playhead: Playhead) {
        note(playhead)
        for room in rooms { carryOut(room.session.send(.timebase(command(for: room)), now: now), in: room) }
    }

    /// Stands at another playhead from now on, without a word to the rooms.
    func note(_ playhead: Playhead) { timebase.move(to: playhead) }

    /// Holds all rooms at `time` from now on.
    package func hold(at time: MediaTime) {
        move(Playhead(rate: 0, media: time, group: groupNow))
    }

    /// Tells all rooms where the timeline ends.
    package func end(at time: MediaTime) {
        timelineEnd = time
        for room in rooms where room.isUp {
            carryOut(room.session.send(.end(media: time), now: now), in: room)
        }
    }

    // MARK: Writing

    /// Sends a room a control message, or keeps it until what it is about is written down.
    func send(_ bytes: [UInt8], to room: Room) {
        guard let control = room.control, outbox.send(bytes, on: control) else { return }
        let group = bound
        // What is being done now may not be through.
        loop.execute { group.value.report(.heldBack) }
    }

    // MARK: Goodbye

    /// Says goodbye to all rooms and ends the clock.
    ///
    /// - Returns: what comes, one way or the other, once they have hung up, at most half a second later.
    package func leave(reason: String) -> EventLoopFuture<Void> {
        precondition(!isLeaving, "a group leaves once")
        phase = .leaving
        outbox.flush()
        var closings: [EventLoopFuture<Void>] = []
        for room in rooms {
            room.attempt += 1
            guard let control = room.control else { continue }
            for case .sendControl(let bytes) in room.session.send(.goodbye(reason: reason), now: now) {
                control.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            }
            // The speaker closes both connections when it has read the goodbye.
            closings.append(control.closeFuture)
        }
        let allSaid = EventLoopFuture.andAllComplete(closings, on: loop)
        let tooLate = loop.scheduleTask(in: .milliseconds(500)) {}
        allSaid.whenComplete { _ in tooLate.cancel() }
        let group = bound
        return tooLate.futureResult.always { _ in group.value.close() }
    }

    /// Ends the clock and closes all connections without a goodbye: the rooms play on from their buffers.
    package func hangUp() -> EventLoopFuture<Void> {
        precondition(!isLeaving, "a group leaves once")
        phase = .leaving
        outbox.flush()
        for room in rooms + released { room.attempt += 1 }
        close()
        return loop.makeSucceededVoidFuture()
    }

    private func close() {
        clock.stop()
        for room in rooms + released {
            leaveClock(of: room)
            room.control?.close(promise: nil)
            room.media?.close(promise: nil)
        }
    }
}
