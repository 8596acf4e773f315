import NIOCore
import TuttiCore
import TuttiSchema
import TuttiWire

/// What the rooms report, and what follows from it.
extension RoomGroup {
    func carryOut(_ effects: [SenderEffect], in room: Room) {
        for effect in effects {
            switch effect {
            case .sendControl(let bytes): send(bytes, to: room)
            case .sendMedia(let bytes): room.media?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            case .openMedia(let welcome): welcomed(by: welcome, in: room)
            case .creditGranted: feed(room)
            case .status(let status): took(status, of: room)
            case .flushed(let loaded):
                // Its last word may be from before.
                room.status?.loaded = LoadedRanges(loaded)
                room.feed.begin(at: SenderSession.resumePoint(after: loaded, playhead: position))
                feed(room)
            case .cardFit(let fit): take(fit, from: room)
            case .trust(let handover): take(handover)
            case .event(ControlMessage.farewell, _): room.release.confirm()
            case .event(let kind, let message): report(.room(name: room.label, RoomEvent(word: kind), message: message))
            case .refused(let code, let message): refuse(room, code: code, message: message)
            case .close(let reason): lose(room, reason: reason)
            }
        }
    }

    private func welcomed(by welcome: Welcome, in room: Room) {
        room.findClock(welcome)
        if isReleased(room) { return greetReleased(room, welcome) }
        guard isExpected(welcome, in: room) else { return lose(room, reason: "another speaker answers there") }
        guard room.isMeant(welcome) else {
            let reason = "the speaker at \(room.address.endpoint) is called '\(welcome.name)'"
            return fail(room, .roomNotFound(room.address.name, reason: reason))
        }
        room.toldName = nil
        if !Names.areSame(room.address.name, welcome.name) { room.take(name: welcome.name) }
        let twin = rooms.first {
            $0.number != room.number && ($0.care.speaker?.id ?? $0.session.welcome?.id) == welcome.id
                && $0.link != .refused
        }
        if let twin {
            let reason = """
                \(twin.label) (\(twin.address.endpoint)) and \(room.address.endpoint) are the same speaker, or one has a copy \
                of the other's state folder
                """
            return giveUp(room, .roomRefused(room.label, reason: reason))
        }
        let codec = configuration.codec.rawValue
        guard welcome.codecs.contains(codec) else {
            return fail(
                room, .roomRefused(room.label, reason: "the speaker does not play \(codec); try another --codec"))
        }
        if let error = objection(to: room, welcome) { return fail(room, error) }
        if let reason = distrust(of: welcome, in: room) {
            return fail(room, .roomRefused(room.label, reason: reason))
        }
        room.speakerID = welcome.id
        thinInAdvance(room)
        choose(for: room, welcome)
        room.link = .welcomed
        if phase == .attaching { report(.changed) } else { takeUp(room, welcome, knownEnd: timelineEnd) }
    }

    // MARK: How they are

    /// A room has told how it is doing.
    private func took(_ status: SpeakerStatus, of room: Room) {
        if isReleased(room) { return }
        let before = room.status?.state
        room.status = status
        if room.reported(name: status.name) { report(.changed) }
        let reported = VolumeCommand(percent: status.volume, isMuted: status.isMuted)
        if let again = room.loudness.take(reported, range: status.volumeRange, now: now) {
            carryOut(room.session.send(.volume(again), now: now), in: room)
        }
        room.status?.volume = room.loudness.level.percent
        room.status?.isMuted = room.loudness.level.isMuted
        if !room.session.isFlushing { room.feed.isOutdated = false }
        // A speaker that has only just answered is idle: that is no event.
        let isNews = before != nil || status.state != .idle
        if before != status.state, isNews {
            report(.room(name: room.label, .state(RoomStatus.State(status.state)), message: status.message))
            report(.changed)
        }
        fillGap(in: room, status)
        watchLink(of: room, status)
    }

    /// What may lie between the playhead and a room's buffered audio: the room reports less often than it plays.
    private static let gap = MediaTime(frame: 50, sampleRate: 1_000)

    /// A room that should have the audio at the playhead, and has not, gets it again.
    private func fillGap(in room: Room, _ status: SpeakerStatus) {
        guard isToSound, status.state == .stalled || status.state == .preparing, !room.session.isFlushing,
            counts(position, asSentTo: room)
        else {
            room.feed.lacksAudioSince = nil
            return
        }
        let place = position
        if status.loaded.ranges.contains(where: { $0.start <= place + Self.gap && $0.end > place }) {
            room.feed.lacksAudioSince = nil
            return
        }
        let since = room.feed.lacksAudioSince ?? now
        room.feed.lacksAudioSince = since
        guard now.nanoseconds(since: since) > RoomFeed.gapTimeout else { return }
        room.feed.lacksAudioSince = nil
        empty(room)
    }

    private func counts(_ place: MediaTime, asSentTo room: Room) -> Bool {
        if let begin = source.begin, place < begin { return true }
        guard let cursor = room.feed.cursor, log(of: room).contains(place) else { return false }
        return cursor > log(of: room).index(at: place)
    }

    // MARK: Refusals

    private func refuse(_ room: Room, code: String, message: String) {
        // Somebody else plays there, and has told it to forget this timeline.
        if isReleased(room) { return endRelease(room) }
        switch code {
        case ControlMessage.FailureCode.busy:
            let advice = isOverlay ? "try again in a moment" : "stop the music there first"
            isBusy(room, .roomRefused(room.label, reason: "\(message); \(advice)"))
        case ControlMessage.FailureCode.version:
            fail(room, .roomRefused(room.label, reason: "\(message); update the older of the two programs"))
        case ControlMessage.FailureCode.household, ControlMessage.FailureCode.token:
            // A speaker that was reset while this sender played is for another household: it must not be claimed again
            // by whoever merely tries again.
            let error = SenderError.roomRefused(room.label, reason: message)
            room.hasBeenUp ? giveUp(room, error) : fail(room, error)
        case ControlMessage.FailureCode.taken: giveUp(room, .roomTaken(room.label, reason: message))
        case ControlMessage.FailureCode.replaced: giveUp(room, .roomRefused(room.label, reason: message))
        default: room.problem = .roomUnreachable(room.label, reason: message)
        }
    }

    /// Another sender plays in the room; asks again for a moment, since that one may just be leaving. Where this one
    /// has played before, a person has asked for the other one meanwhile.
    private func isBusy(_ room: Room, _ error: SenderError) {
        let since = room.busySince ?? now
        room.busySince = since
        room.problem = error
        if now.nanoseconds(since: since) < Room.busyTimeout {
            lose(room, reason: error.reason)
        } else if room.hasBeenUp, !isOverlay {
            giveUp(room, .roomTaken(room.label, reason: "another sender plays here now"))
        } else {
            fail(room, error)
        }
    }

    /// Leaves the room to others for good.
    private func giveUp(_ room: Room, _ error: SenderError) {
        room.problem = error
        close(room)
        room.link = .refused
        report(.room(name: room.label, room.isTaken ? .state(.taken) : .lost, message: error.reason))
        report(rooms.allSatisfy { $0.link == .refused } ? .abandoned(error) : .changed)
    }

    /// The speaker is not to be had at all: no further attempts while starting, slow ones later.
    private func fail(_ room: Room, _ error: SenderError) {
        room.problem = error
        if hasStarted {
            lose(room, reason: error.reason, pause: Room.refusalPause)
        } else {
            close(room)
            room.link = .refused
            report(.changed)
        }
    }
}
