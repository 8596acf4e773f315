import TuttiCore
import TuttiProduction
package import TuttiRooms
package import TuttiSchema
import TuttiWire

/// What people ask for.
extension Player {
    /// Holds all rooms at one instant.
    package func pause() throws(SenderError) {
        defer { commit() }
        switch phase {
        case .playing:
            let instant = soon()
            group.move(Playhead(rate: 0, media: snapped(playhead.media(at: instant)), group: instant))
            phase = .paused
            emit(.state(.paused))
        case .filling(thenPlay: true): phase = .filling(thenPlay: false)
        case .paused, .filling: break
        case .connecting:
            try checkAttached()
            playsOnceReady = false
        case .finished: throw .nothingPlaying
        }
    }

    /// Goes on, also in rooms that others had been asked to play in.
    package func resume() throws(SenderError) {
        defer { commit() }
        for room in group.members where room.isTaken { room.takeOver() }
        switch phase {
        case .paused:
            if isResting { throw .notNow("the queue has ended") }
            if isUnready { return fill(thenPlay: true) }
            group.move(Playhead(rate: 1, media: playhead.media, group: soon()))
            phase = .playing
            emit(.state(.playing))
        case .filling(thenPlay: false): phase = .filling(thenPlay: true)
        case .connecting:
            try checkAttached()
            playsOnceReady = true
        case .playing, .filling: break
        case .finished: throw .nothingPlaying
        }
    }

    /// Whether what the rooms are to play next has changed while they were paused, and they do not have it yet.
    private var isUnready: Bool {
        production.awaitsFirstPacket || !group.members.canResume
    }

    /// Pauses or resumes.
    package func toggle() throws(SenderError) {
        defer { commit() }
        switch phase {
        case .paused, .filling(thenPlay: false): try resume()
        case .connecting:
            try checkAttached()
            playsOnceReady.toggle()
        default: try pause()
        }
    }

    /// Ends the timeline in all rooms.
    package func stop() {
        completion.wasStopped = phase != .finished
        finish(PlayerOutcome(exitCode: 0, message: nil))
    }

    /// Sets a room's volume, or that of all. A change of all keeps the balance between them.
    ///
    /// - Parameters:
    ///   - rampMs: milliseconds of the way there, 0 … 10 000.
    ///   - unmutes: whether muted rooms sound again.
    package func setVolume(
        _ change: VolumeChange, room name: String?, rampMs: Double = 50, unmutes: Bool = false
    ) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        let rooms = try group.members(named: name)
        rooms.setVolume(change, keepsBalance: name == nil, rampMs: rampMs, unmutes: unmutes)
    }

    /// Mutes a room, or all of them, or lets them sound again as loud as they were.
    package func setMuted(_ isMuted: Bool, room name: String?) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        for room in try group.members(named: name) {
            room.setLoudness(VolumeCommand(percent: room.loudness.level.percent, isMuted: isMuted))
        }
    }

    /// Sets a room's output delay, in milliseconds of ±5000: how late its output is before correction. Its speaker
    /// remembers it.
    package func setOutputDelay(_ milliseconds: Double, room name: String) throws(SenderError) {
        guard WireLimits.outputDelayMs.contains(milliseconds) else {
            throw .badOption("an output delay is from -5000 to 5000 ms")
        }
        if phase == .finished { throw .nothingPlaying }
        for room in try group.members(named: name) { room.setOutputDelay(milliseconds) }
    }

    /// Gives a room another name, which its speaker keeps.
    ///
    /// - Throws: `noSuchRoom`, `roomUnreachable`, `roomRefused` where the speaker cannot be given one, `badOption`,
    ///   `nothingPlaying`.
    package func setName(_ name: String, room: String) throws(SenderError) {
        defer { commit() }
        try RoomName.check(name)
        if phase == .finished { throw .nothingPlaying }
        for member in try group.members(named: room) { try member.setName(name) }
    }

    /// Lets the card of this room lead playback time, so that it plays without resampling, or none with nil.
    ///
    /// - Throws: `noSuchRoom`, `roomRefused` where the speaker of a room is too old to follow, `nothingPlaying`.
    package func setReference(_ name: String?) throws(SenderError) {
        defer { commit() }
        if phase == .finished { throw .nothingPlaying }
        guard isParked, !production.isRunning, let name else { return try group.setReference(name) }
        guard let room = configuration.rooms.first(where: { $0.isCalled(name) }) else { throw .noSuchRoom(name) }
        group.reference.room = room.label
    }

    /// The nearest whole frame of the track at `time`.
    private func snapped(_ time: MediaTime) -> MediaTime {
        guard let track = timeline.track(at: time) else { return time }
        return track.time(of: track.exact(track.place(at: time)))
    }
}
