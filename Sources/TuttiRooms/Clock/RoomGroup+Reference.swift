import TuttiClock
import TuttiCore
import TuttiSchema
import TuttiTiming
import TuttiWire

/// The reference room: its card leads playback time, so that it plays without resampling, and the others follow.
extension RoomGroup {
    /// Ticks after which the reference room hears that it is one, though nothing has changed: a room that hears nothing
    /// for three seconds is none any more.
    private static let reminder = 10
    /// Standard deviation of a clock, in ns, below which live sound is placed by it.
    private static let fineClock = 100_000.0
    /// How far clocks of hosts usually are from each other: the variance of a plain ratio.
    private static let usualDrift = 30e-6 * 30e-6

    /// The room whose card leads; nil where none was asked for, or it is not here.
    var referenceRoom: Room? {
        guard let name = reference.room, captureLatency == nil else { return nil }
        return rooms.first { $0.isCalled(name) || $0.address.label == name }
    }

    /// Lets the card of this room lead from now on, or none with nil. Nothing jumps.
    ///
    /// - Throws: `noSuchRoom`; `roomRefused` where the speaker of a room is too old to follow.
    package func setReference(_ name: String?) throws(SenderError) {
        if let name {
            guard let room = rooms.first(where: { $0.isCalled(name) || $0.address.label == name }) else {
                throw .noSuchRoom(name)
            }
            if let old = rooms.first(where: { $0.session.welcome?.followsReference == false }) {
                throw Self.tooOld(old)
            }
            reference = ReferenceChoice(room: room.address.name.isEmpty ? name : room.label)
        } else {
            reference = ReferenceChoice()
        }
        timebase.reference.setLed(leader)
        tellReference()
    }

    /// What leads the line.
    private var leader: ReferenceLine.Leader? {
        if captureLatency != nil { return .capture }
        return reference.room == nil ? nil : .card
    }

    /// Live sound plays so many nanoseconds after its capture, and its source leads playback time; nil where nothing
    /// is live, so that a reference room may lead again.
    package func setCaptureLatency(_ latency: Int64?) {
        guard !isOverlay, captureLatency != latency else { return }
        captureLatency = latency
        // To schedule by it, it is enough to know the clock to a millisecond; live sound is placed by it.
        clock.setIdle(latency == nil)
        timebase.reference.setLed(leader)
        tellReference()
    }

    /// Whether this host knows the group's clock well enough to place by it what it captures.
    package var isClockFine: Bool {
        clock.estimates.read().map { $0.sigma(atHostNanoseconds: now.nanoseconds) < Self.fineClock } ?? false
    }

    /// How a live source's clock stands.
    ///
    /// - Parameters:
    ///   - error: by how many ns playback is behind where the source has it.
    ///   - slope: how much faster than this host's clock the source runs, as a plain ratio.
    package func followCapture(error: Int64, slope: Double) {
        guard !isOverlay, captureLatency != nil, let line = clock.estimates.read(), let time = clock.now() else {
            return
        }
        // How fast the group's clock runs against this host's, as far as that is known already.
        let (rate, sigma) = (line.drift, line.driftSigma)
        let drift = sigma.isFinite ? rate * Self.usualDrift / (Self.usualDrift + sigma * sigma) : 0
        let standing = timebase.reference.playbackTime(at: time).nanoseconds(since: time)
        let fit = ReferenceFit(group: time, offset: standing + error, slope: (1 + slope) / (1 + drift) - 1)
        guard timebase.reference.take(fit, now: time, isSounding: isSounding) != nil else { return }
        tellReference()
    }

    private static func tooOld(_ room: Room) -> SenderError {
        .roomRefused(
            room.label, reason: "the speaker is too old for reference rooms; update tutti-speaker there")
    }

    /// Sees whether a room that has just answered can keep in step.
    ///
    /// - Returns: why not. A reference that nothing was played along yet makes way instead.
    func objection(to room: Room, _ welcome: Welcome) -> SenderError? {
        guard !isOverlay, !welcome.followsReference, reference.room != nil || !timebase.reference.isIdentity else {
            return nil
        }
        let error = Self.tooOld(room)
        guard timebase.reference.isIdentity else { return error }
        reference = ReferenceChoice(problem: error.description)
        timebase.reference.setLed(leader)
        tellReference()
        report(.room(name: room.label, .reference, message: error.reason + "; no room is the reference"))
        return nil
    }

    /// The reference room has reported where its card stands. What others report does not count.
    func take(_ fit: ReferenceFit, from room: Room) {
        guard !isOverlay, room === referenceRoom, let now = clock.now() else { return }
        guard timebase.reference.take(fit, now: now, isSounding: isSounding) != nil else { return }
        tellReference()
    }

    /// What is due by time.
    func reviewReference(tick: Int) {
        guard !isOverlay, let now = clock.now() else { return }
        if timebase.reference.advance(now: now, isSounding: isSounding) != nil { tellReference() }
        if tick % Self.reminder == 0, let room = referenceRoom, room.isUp {
            room.clock.toldReference = nil
            tellReference(to: room)
        }
    }

    /// Whether something plays on the timebase, or is about to.
    private var isSounding: Bool { playhead.rate > 0 && timelineEnd.map { position < $0 } ?? true }

    private func tellReference() {
        for room in rooms where room.link == .welcomed || room.isUp { tellReference(to: room) }
    }

    /// Tells a room how playback time runs, unless it knows.
    func tellReference(to room: Room) {
        let isReference = room === referenceRoom
        let command = ReferenceCommand(
            fit: timebase.reference.fit, isReference: isReference, captureLatency: captureLatency)
        let told =
            room.clock.toldReference ?? ReferenceCommand(fit: room.session.welcome?.reference, isReference: false)
        guard command != told || isReference && room.clock.toldReference == nil,
            room.session.welcome?.followsReference == true, !isOverlay
        else { return }
        room.clock.toldReference = command
        carryOut(room.session.send(.reference(command), now: now), in: room)
    }

    /// Resumes on the newest reference line that a room was told by an earlier process.
    func adoptReference(of timescale: TimescaleID) {
        let known = greeted.compactMap(\.session.welcome?.reference).filter { $0.group.timescale == timescale }
        timebase.reference = ReferenceLine(from: known.max { $0.group.nanoseconds < $1.group.nanoseconds })
        timebase.reference.setLed(leader)
    }
}
