import NIOCore
import TuttiCore
import TuttiWire

/// What the rooms say, and what follows from it.
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
                room.status?.loaded = loaded.map { [$0.start.seconds, $0.end.seconds] }
                room.cursor = nil
                room.resumeAt = SenderSession.resumePoint(after: loaded, playhead: position)
                feed(room)
            case .event(let kind, let message): report(.room(name: room.label, state: kind, message: message))
            case .refused(let code, let message): refuse(room, code: code, message: message)
            case .close(let reason): lose(room, reason: reason)
            }
        }
    }

    private func welcomed(by welcome: Welcome, in room: Room) {
        guard isExpected(welcome, in: room) else { return lose(room, reason: "another speaker answers there") }
        if !room.address.name.isEmpty, room.address.name.lowercased() != welcome.name.lowercased(),
            room.address.name != welcome.id
        {
            let reason = "the speaker at \(room.address.endpoint) is called '\(welcome.name)'"
            return fail(room, .roomNotFound(room.address.name, reason: reason))
        }
        let isTwin = rooms.contains {
            $0.number != room.number && ($0.care.speaker?.id ?? $0.session.welcome?.id) == welcome.id
                && $0.link != .refused
        }
        if isTwin {
            return giveUp(room, .roomRefused(room.label, reason: "two of the rooms are the same speaker; name it once"))
        }
        let codec = configuration.codec.rawValue
        guard welcome.codecs.contains(codec) else {
            return fail(
                room, .roomRefused(room.label, reason: "the speaker does not play \(codec); try another --codec"))
        }
        room.speakerID = welcome.id
        choose(for: room, welcome)
        room.link = .welcomed
        room.cursor = nil
        agreeOnClock(with: room, welcome)
        room.resumeAt = SenderSession.resumePoint(after: room.session.welcome?.loaded ?? [], playhead: position)
        open(room, role: .media)
    }

    // MARK: How they are

    /// A room has told how it is doing.
    private func took(_ status: SpeakerStatus, of room: Room) {
        let before = room.status?.state
        room.status = status
        if let unsaid = room.unsaid, abs(status.volume - unsaid.percent) < 0.01, status.isMuted == unsaid.isMuted {
            room.unsaid = nil
        }
        if room.loudnessSettled <= now {
            room.loudness = VolumeCommand(percent: status.volume, isMuted: status.isMuted)
        } else {
            room.status?.volume = room.loudness.percent
            room.status?.isMuted = room.loudness.isMuted
        }
        if !room.session.isFlushing { room.isOutdated = false }
        // A speaker that has only just answered is idle: no news.
        let isNews = before != nil || status.state != .idle
        if before != status.state, isNews {
            report(.room(name: room.label, state: status.state.rawValue, message: status.message))
            report(.changed)
        }
        fillGap(in: room, status)
        watchLink(of: room, status)
    }

    /// A room that should have the audio at the playhead, and has not, gets it again.
    private func fillGap(in room: Room, _ status: SpeakerStatus) {
        guard isToSound, status.state == .stalled || status.state == .preparing, let cursor = room.cursor,
            !room.session.isFlushing, log(of: room).contains(position), cursor > log(of: room).index(at: position)
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
        guard now.nanoseconds(since: since) > Room.gapTimeout else { return }
        room.lacksAudioSince = nil
        empty(room)
    }

    // MARK: Refusals

    private func refuse(_ room: Room, code: String, message: String) {
        switch code {
        case ControlMessage.FailureCode.busy:
            let advice = isGuest ? "try again in a moment" : "stop it there first"
            isBusy(room, .roomRefused(room.label, reason: "\(message); \(advice)"))
        case ControlMessage.FailureCode.version:
            fail(room, .roomRefused(room.label, reason: "\(message); update the older of the two"))
        case ControlMessage.FailureCode.replaced: giveUp(room, .roomRefused(room.label, reason: message))
        default: room.problem = .roomUnreachable(room.label, reason: message)
        }
    }

    /// Another sender plays in the room; asks again for a moment, since that one may just be leaving.
    private func isBusy(_ room: Room, _ error: SenderError) {
        let since = room.busySince ?? now
        room.busySince = since
        room.problem = error
        if now.nanoseconds(since: since) < Room.busyPatience {
            lose(room, reason: error.description)
        } else {
            fail(room, error)
        }
    }

    /// Leaves the room to others for good.
    private func giveUp(_ room: Room, _ error: SenderError) {
        room.problem = error
        close(room)
        room.link = .refused
        report(.room(name: room.label, state: "lost", message: error.description))
        report(rooms.allSatisfy { $0.link == .refused } ? .abandoned(error) : .changed)
    }

    /// The speaker is not to be had at all: no further attempts while starting, slow ones later.
    private func fail(_ room: Room, _ error: SenderError) {
        room.problem = error
        if hasStarted {
            lose(room, reason: error.description, pause: Room.refusalPause)
        } else {
            close(room)
            room.link = .refused
            report(.changed)
        }
    }
}
