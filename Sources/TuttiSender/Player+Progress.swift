import NIOCore
import TuttiCore
import TuttiWire

/// The state machine: from waiting to sound to the end.
extension Player {
    /// Ten times a second.
    func tick() {
        ticks += 1
        for room in rooms {
            if case .down(let retryAt) = room.link, retryAt <= now { connect(room) }
            if let deadline = room.session.deadline, deadline <= now {
                carryOut(room.session.poll(now: now), in: room)
            }
        }
        advance()
        guard phase != .finished else { return }
        trimLogs(before: position - Self.history)
        follow()
        programme.forget(before: position - Self.history)
        if hasStarted { showItem() }
        if ticks % 100 == 0 { reviewStandIns() }
        if ticks % 10 == 0, !watchers.isEmpty { emit(.progress(status())) }
    }

    /// A room has told how it is doing.
    func took(_ status: SpeakerStatus, of room: Room) {
        let before = room.status?.state
        room.status = status
        if room.loudnessSettled <= now {
            room.loudness = VolumeCommand(percent: status.volume, isMuted: status.isMuted)
        }
        if !room.session.isFlushing { room.isOutdated = false }
        // A speaker that has only just answered is idle: no news.
        let isNews = before != nil || status.state != .idle
        if before != status.state, isNews {
            emit(.room(name: room.label, state: status.state.rawValue, message: status.message))
            advance()
        }
        fillGap(in: room, status)
    }

    /// Takes the next step if everything it needs is there.
    func advance() {
        switch phase {
        case .connecting: advanceConnecting()
        case .filling(let thenPlay): advanceFilling(thenPlay: thenPlay)
        case .playing: advancePlaying()
        case .paused, .finished: break
        }
    }

    private func advanceConnecting() {
        guard !rooms.isEmpty else { return }
        let isLate = deadline <= now
        let missing = rooms.filter { !$0.isUp && ($0.link == .refused || isLate) }
        if let room = missing.first, !configuration.allowsMissingRooms || missing.count == rooms.count {
            let error =
                room.problem
                ?? .roomUnreachable(
                    room.label, reason: "no answer from \(room.address.endpoint); check the address and the network")
            return finish(error)
        }
        guard rooms.allSatisfy({ $0.isUp || $0.link == .refused }) || isLate else { return }
        for room in missing {
            if let problem = room.problem { emit(.notice("goes on without \(problem)")) }
        }
        fill(thenPlay: true)
    }

    func fill(thenPlay: Bool) {
        phase = .filling(thenPlay: thenPlay)
        deadline = now.advanced(byNanoseconds: Self.fillTimeout)
        advance()
    }

    private func advanceFilling(thenPlay: Bool) {
        let present = rooms.filter(\.isUp)
        let late = present.filter { !$0.isReady || !isClockSettled(of: $0) }
        guard !awaitsFirstPacket, present.count > late.count else {
            if deadline <= now, !awaitsFirstPacket { deadline = now.advanced(byNanoseconds: Self.fillTimeout) }
            return
        }
        guard late.isEmpty || deadline <= now else { return }
        for room in late { emit(.notice("starts without \(room.label), which is not ready; it will join")) }
        // Nobody waits for the first sound to the tenth of a second, and a room that hears of it late loses the beginning.
        let reserve = hasStarted ? 0 : Self.firstStartReserve
        hasStarted = true
        if thenPlay {
            start(reserve: reserve)
        } else {
            phase = .paused
            emit(.state(.paused))
        }
    }

    /// - Parameter reserve: nanoseconds beyond what the rooms need.
    private func start(reserve: Int64) {
        // The rooms may be on their way to the place where they wait.
        let soon = soon().advanced(byNanoseconds: reserve)
        let group = soon.nanoseconds < playhead.group.nanoseconds ? playhead.group : soon
        move(Playhead(rate: 1, media: playhead.media, group: group))
        phase = .playing
        emit(.state(.playing))
        showItem()
    }

    private func advancePlaying() {
        waitForNextPiece()
        guard let programmeEnd, groupNow.nanoseconds > playhead.group.nanoseconds else { return }
        let place = playhead.media(at: groupNow)
        guard place >= programmeEnd else { return }
        let present = rooms.filter(\.isUp)
        let isDone = !present.isEmpty && present.allSatisfy { $0.status?.state == .ended }
        if isDone || place >= programmeEnd + MediaTime(frame: 2, sampleRate: 1) { finishProgramme() }
    }

    // MARK: The timebase

    /// Tells all rooms the new line.
    func move(_ playhead: Playhead) {
        self.playhead = playhead
        for room in rooms { carryOut(room.session.send(.timebase(command(for: room)), now: now), in: room) }
    }

    /// Holds all rooms at `time` from now on.
    func hold(at time: MediaTime) {
        move(Playhead(rate: 0, media: time, group: groupNow))
    }

    /// A room that should have the audio at the playhead, and has not, gets it again.
    private func fillGap(in room: Room, _ status: SpeakerStatus) {
        guard phase == .playing || phase == .filling(thenPlay: true),
            status.state == .stalled || status.state == .preparing,
            let cursor = room.cursor, !room.session.isFlushing, log(of: room).contains(position),
            cursor > log(of: room).index(at: position)
        else {
            room.lacksAudioSince = nil
            return
        }
        let place = position.seconds
        if status.loaded.contains(where: { $0[0] <= place + 0.05 && $0[1] > place }) {
            room.lacksAudioSince = nil
            return
        }
        let since = room.lacksAudioSince ?? now
        room.lacksAudioSince = since
        guard now.nanoseconds(since: since) > Self.gapTimeout else { return }
        room.lacksAudioSince = nil
        carryOut(room.session.flush(from: nil, now: now), in: room)
    }

    private func showItem() {
        guard let piece = programme.piece(at: position), piece.serial != shownItem else { return }
        shownItem = piece.serial
        emit(.item(itemStatus(piece)))
    }
}
