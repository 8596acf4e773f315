import TuttiCore
import TuttiProduction
import TuttiRooms
import TuttiSchema
import TuttiWire

/// The state machine: from waiting to sound to the end.
extension Player {
    /// Ticks between two times that what is over is forgotten.
    private static let housekeeping = 5

    /// Ten times a second.
    func tick() {
        pulse.count += 1
        group.tick()
        advance()
        anchorLive()
        followEdge()
        guard phase != .finished else { return }
        follow()
        if pulse.count % Self.housekeeping == 0 {
            let kept = historyStart
            group.trimLogs(before: kept)
            timeline.forget(before: kept)
            // What a command changes is written down with it; this is how far it has come.
            commit()
        }
        if group.hasStarted, restored == nil { showItem() }
        if pulse.count % 10 == 0 { reviewLatency() }
        if pulse.count % 10 == 0, !watchers.isEmpty { emit(.progress(status())) }
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
        guard !group.members.isEmpty else { return }
        if let restored { return advanceAttaching(restored) }
        let decision = StartDecision(
            of: group.members, isLate: deadline <= now,
            isTooLate: deadline.advanced(byNanoseconds: configuration.connectTimeout) <= now,
            allowsMissing: configuration.allowsMissingRooms)
        switch decision {
        case .wait: return
        case .fail(let error): return finish(error)
        case .start(let late, let missing):
            for room in late { emit(.notice(.roomLate(room: room.label))) }
            for room in missing {
                if let problem = room.problem { emit(.notice(.roomMissing(room: room.label, problem))) }
            }
        }
        fill(thenPlay: playsOnceReady)
        if isOverBeforeItBegan { rest() }
    }

    func fill(thenPlay: Bool) {
        phase = .filling(thenPlay: thenPlay)
        deadline = now.advanced(byNanoseconds: Self.fillTimeout)
        advance()
    }

    private func advanceFilling(thenPlay: Bool) {
        if thenPlay, group.hasStarted, let timelineEnd, playhead.media >= timelineEnd {
            // What was waited for will not come, and no room can make ready for it.
            if playhead.group.nanoseconds <= groupNow.nanoseconds { finishTimeline() }
            return
        }
        let present = group.members.filter(\.isUp)
        let late = present.filter { !$0.isReady || !$0.isClockSettled }
        guard !production.awaitsFirstPacket, present.count > late.count, !isShortOfSound else {
            if deadline <= now, !production.awaitsFirstPacket {
                deadline = now.advanced(byNanoseconds: Self.fillTimeout)
            }
            return
        }
        guard late.isEmpty || deadline <= now else { return }
        for room in late { emit(.notice(.roomLate(room: room.label))) }
        // Nobody waits for the first sound to the tenth of a second, and a room that hears of it late loses the
        // beginning.
        let reserve = group.hasStarted ? 0 : Self.firstStartReserve
        let appointment = group.hasStarted ? nil : configuration.startsAt
        group.hasStarted = true
        if thenPlay {
            start(reserve: reserve, appointment: appointment)
        } else {
            phase = .paused
            emit(.state(.paused))
        }
        completion.started()
    }

    /// - Parameters:
    ///   - reserve: nanoseconds beyond what the rooms need.
    ///   - appointment: not before then.
    private func start(reserve: Int64, appointment: HostTime?) {
        // The rooms may be on their way to the place where they wait.
        let soon = soon().advanced(byNanoseconds: reserve)
        var instant = soon.nanoseconds < playhead.group.nanoseconds ? playhead.group : soon
        if let appointment {
            let appointed = groupNow.advanced(byNanoseconds: appointment.nanoseconds(since: now))
            if appointed.nanoseconds > instant.nanoseconds { instant = appointed }
        }
        group.move(Playhead(rate: 1, media: playhead.media, group: instant))
        phase = .playing
        anchorLive()
        emit(.state(.playing))
        showItem()
    }

    private func advancePlaying() {
        waitForSound()
        guard let timelineEnd, groupNow.nanoseconds > playhead.group.nanoseconds else { return }
        let place = playhead.media(at: groupNow)
        guard place >= timelineEnd else { return }
        if group.members.haveEnded || place >= timelineEnd + MediaTime(frame: 2, sampleRate: 1) { finishTimeline() }
    }

    private func showItem() {
        let place = position
        guard let track = timeline.track(at: place) else { return }
        keepSubtitleFile(to: track.entry)
        let showing = ShownTrack(serial: track.serial, tags: track.streamTags(at: place))
        guard showing != watchers.shown else { return }
        watchers.shown = showing
        emit(.item(itemStatus(track)))
    }
}
