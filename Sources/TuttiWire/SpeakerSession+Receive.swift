import TuttiCore

extension SpeakerSession {
    /// Handles every whole frame of a connection, as far as its media need not wait.
    mutating func drain(_ connection: ConnectionID, now: HostTime) -> [SpeakerEffect] {
        var effects: [SpeakerEffect] = []
        do throws(WireError) {
            while let peer = peers[connection], peer.waiting == nil,
                let frame = try peers[connection]?.decoder.next()
            {
                effects += try handle(frame, on: connection, now: now)
            }
        } catch {
            return effects + drop(connection, reason: error.description, failure: error)
        }
        return effects + adjustReading(connection)
    }

    private mutating func handle(
        _ frame: Frame, on connection: ConnectionID, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        switch frame {
        case .control(let body):
            let message = try ControlMessage(parsing: body)
            guard let peer = peers[connection], let role = peer.role else {
                return try greet(message, on: connection, now: now)
            }
            guard role == .control else {
                throw .unexpectedMessage(type: message.type, reason: "the media connection carries only packets")
            }
            return try handle(message, of: peer.slot, on: connection, now: now)
        case .media(let body): return try handle(.sound(MediaPacket(parsing: body)), on: connection)
        case .picture(let body): return try handle(.picture(PicturePacket(parsing: body)), on: connection)
        case .caption(let body): return try handle(.caption(CaptionPacket(parsing: body)), on: connection)
        }
    }

    // MARK: Hello

    private mutating func greet(
        _ message: ControlMessage, on connection: ConnectionID, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        guard case .hello(let hello) = message else {
            throw .unexpectedMessage(type: message.type, reason: "hello must come first")
        }
        guard hello.version == version(on: connection) else {
            throw .versionMismatch(theirs: hello.version, ours: version(on: connection))
        }
        let identity = peers[connection]?.identity
        var effects: [SpeakerEffect] = []
        switch admission.decision(on: hello, of: identity) {
        case .admitted: break
        case .claims: if let identity { effects.append(.claimed(connection, by: identity, name: hello.senderName)) }
        case .refused(let code, let message):
            let knock = SpeakerEffect.refused(connection, name: hello.senderName, reason: message)
            return [knock] + refuse(connection, code: code, message: message)
        }
        switch hello.role {
        case .control: return effects + greetControl(hello, on: connection, now: now)
        case .media: return greetMedia(hello, on: connection)
        case .look:
            let mayBring = identity?.household != nil && !(identity?.isSelf ?? false)
            let look = Look(
                clock: hello.clock, trust: mayBring ? hello.trust : nil,
                // Without trust there are no identities.
                effects: mayBring || identity == nil || hello.effects == .show ? hello.effects : nil)
            let looked = SpeakerEffect.looked(connection, look, version: version(on: connection))
            peers[connection] = nil
            return [looked]
        }
    }

    private mutating func greetControl(
        _ hello: Hello, on connection: ConnectionID, now: HostTime
    ) -> [SpeakerEffect] {
        guard let slot = slot(for: hello, now: now) else {
            let message =
                hello.policy == .longForm ? "another sender plays here" : "other announcements are playing here"
            return refuse(connection, code: ControlMessage.FailureCode.busy, message: message)
        }
        var effects: [SpeakerEffect] = []
        if let present = active[slot] {
            if present.senderID == hello.senderID, streams[slot]?.id != hello.stream {
                // Two programmes of one sender would otherwise take the place from each other for ever.
                let code = ControlMessage.FailureCode.replaced
                let message = "another stream of the same sender plays here now"
                effects += send(.failure(code: code, message: message), to: slot)
            } else if present.senderID != hello.senderID, hello.isClaim {
                let message = "\(hello.senderName.isEmpty ? "another sender" : hello.senderName) plays here now"
                effects += send(.failure(code: ControlMessage.FailureCode.taken, message: message), to: slot)
            }
            effects += drop(present.control, reason: "a new connection replaces it", failure: nil)
        }
        peers[connection]?.role = .control
        peers[connection]?.slot = slot
        active[slot] = Active(
            senderID: hello.senderID, token: hexadecimal(makeToken()), control: connection, lastHeard: now)
        let arriving = Stream(senderID: hello.senderID, id: hello.stream)
        let known = streams[slot]
        if known?.senderID != arriving.senderID || known?.id != arriving.id || arriving.id == nil {
            streams[slot] = arriving
        }
        return effects + [SpeakerEffect.senderArrived(hello).about(slot)]
    }

    /// Its own slot, else a free one, else that of somebody who has fallen silent, or whom a person wants to make way;
    /// nil when there is none for it. Announcements are let finish.
    private func slot(for hello: Hello, now: HostTime) -> Slot? {
        let places = Slot.places(for: hello.policy)
        return places.first { active[$0]?.senderID == hello.senderID } ?? places.first { active[$0] == nil }
            ?? places.first { active[$0]?.isSilent(at: now) == true || hello.isClaim && $0 == .owner }
    }

    private mutating func greetMedia(_ hello: Hello, on connection: ConnectionID) -> [SpeakerEffect] {
        let host = active.first { _, sender in
            sender.token == hello.session && sender.senderID == hello.senderID && sender.media == nil
                && peers[sender.control]?.identity?.nodeID == peers[connection]?.identity?.nodeID
        }
        guard let slot = host?.key else {
            return refuse(
                connection, code: ControlMessage.FailureCode.session, message: "no such session")
        }
        peers[connection]?.role = .media
        peers[connection]?.slot = slot
        active[slot]?.media = connection
        return [SpeakerEffect.mediaConnected.about(slot)]
    }

    private mutating func refuse(_ connection: ConnectionID, code: String, message: String) -> [SpeakerEffect] {
        peers[connection] = nil
        return [
            .send(ControlMessage.failure(code: code, message: message).encodedFrame(), on: connection),
            .close(connection, reason: message),
        ]
    }

    // MARK: Control

    private mutating func handle(
        _ message: ControlMessage, of slot: Slot, on connection: ConnectionID, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        switch message {
        case .clock(let clock): return [SpeakerEffect.clock(clock, from: connection).about(slot)]
        case .timebase(let command): return [SpeakerEffect.timebase(command).about(slot)]
        // The room's settings are its owner's.
        case .volume where slot != .owner, .outputDelay where slot != .owner, .reference where slot != .owner,
            .name where slot != .owner:
            return send(.unsupported(type: message.type), to: slot)
        case .volume(let command): return [.volume(command)]
        case .outputDelay(let milliseconds): return [.outputDelay(milliseconds: milliseconds)]
        case .reference(let command): return [.reference(command)]
        case .name(let name): return [.name(name)]
        case .end(let media): return [SpeakerEffect.end(media: media).about(slot)]
        // Only who has shown who it is hands over what trust rests on.
        case .trust(let trust): return peers[connection]?.identity == nil ? [] : [.trust(trust)]
        case .ping, .unsupported: return []
        case .unknown(let type): return send(.unsupported(type: type), to: slot)
        case .format(let id, let format): return try define(format, id: id, of: slot, now: now)
        case .pictureFormat(let id, let format): return try define(format, id: id, of: slot, now: now)
        case .flush(let generation, let from): return flush(generation, from: from, of: slot, now: now)
        case .goodbye(let reason):
            streams[slot] = nil
            // Hanging up does not show that it was heard: this side may have done so long before, as one sees it who
            // has stood still.
            return send(.event(kind: ControlMessage.farewell, message: reason), to: slot)
                + drop(connection, reason: reason, failure: nil, isGoodbye: true)
        case .hello, .welcome, .credit, .status, .flushed, .cardFit, .effects, .event, .failure:
            throw .unexpectedMessage(type: message.type, reason: "senders do not send this here")
        }
    }

    private mutating func define(
        _ format: AudioFormat, id: UInt16, of slot: Slot, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        guard let formats = active[slot]?.formats, formats.count < WireLimits.formats || formats[id] != nil else {
            throw .malformedMessage("more than \(WireLimits.formats) formats")
        }
        active[slot]?.formats[id] = format
        return resumeMedia(of: slot, now: now)
    }

    private mutating func define(
        _ format: VideoFormat, id: UInt16, of slot: Slot, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        guard let formats = active[slot]?.pictureFormats,
            formats.count < WireLimits.pictureFormats || formats[id] != nil
        else {
            throw .malformedMessage("more than \(WireLimits.pictureFormats) formats of pictures")
        }
        active[slot]?.pictureFormats[id] = format
        return resumeMedia(of: slot, now: now)
    }

    private mutating func flush(
        _ generation: UInt32, from: MediaTime?, of slot: Slot, now: HostTime
    ) -> [SpeakerEffect] {
        streams[slot]?.generation = generation
        active[slot]?.lead = nil
        active[slot]?.pictureParts = PictureParts()
        return [SpeakerEffect.flush(generation: generation, from: from).about(slot)] + resumeMedia(of: slot, now: now)
    }

    // MARK: Media

    private mutating func handle(
        _ packet: MediaFrame, on connection: ConnectionID
    ) throws(WireError) -> [SpeakerEffect] {
        guard let peer = peers[connection], peer.role == .media else {
            throw .unexpectedMessage(type: "media", reason: "packets belong on the media connection, after hello")
        }
        let slot = peer.slot
        let bytes = (active[slot]?.receivedBytes ?? 0) &+ UInt64(packet.payloadBytes)
        let granted = active[slot]?.grantedBytes ?? 0
        guard bytes <= granted else { throw .creditExceeded(sent: bytes, granted: granted) }
        active[slot]?.receivedBytes = bytes
        guard packet.streamID == streams[slot]?.id ?? packet.streamID else { return [] }
        return try place(packet, of: slot, on: connection)
    }

    /// Delivers a packet, drops it when a flush has overtaken it, or lets it wait for what it refers to.
    private mutating func place(
        _ packet: MediaFrame, of slot: Slot, on connection: ConnectionID
    ) throws(WireError) -> [SpeakerEffect] {
        let distance = Int32(bitPattern: packet.generation &- generation(of: slot))
        if distance < 0 { return [] }
        if distance == 0 {
            switch packet {
            case .sound(let packet):
                if let format = active[slot]?.formats[packet.formatID] {
                    return try deliver(packet, of: format, to: slot)
                }
            case .picture(let packet):
                if let format = active[slot]?.pictureFormats[packet.formatID] {
                    return try deliver(packet, of: format, to: slot)
                }
            case .caption(let packet):
                return [SpeakerEffect.deliverCaption(try packet.caption()).about(slot)]
            }
        }
        peers[connection]?.waiting = packet
        return []
    }

    /// Delivers a picture once it is whole.
    private mutating func deliver(
        _ packet: PicturePacket, of format: VideoFormat, to slot: Slot
    ) throws(WireError) -> [SpeakerEffect] {
        guard let whole = try active[slot]?.pictureParts.append(packet) else { return [] }
        guard let picture = whole.sampleBuffer(format: format) else {
            throw .malformedPacket("\(whole.payload.count) bytes are no picture")
        }
        return [SpeakerEffect.deliverPicture(picture, beginsAnew: whole.beginsAnew).about(slot)]
    }

    /// Delivers a packet that is heard, with those before it that are not; keeps the latter until it comes.
    private mutating func deliver(
        _ packet: MediaPacket, of format: AudioFormat, to slot: Slot
    ) throws(WireError) -> [SpeakerEffect] {
        var lead = packet.restartsDecoder ? Lead(formatID: packet.formatID) : active[slot]?.lead
        guard packet.isAudible else {
            try lead?.append(packet)
            active[slot]?.lead = lead
            return []
        }
        active[slot]?.lead = nil
        let preroll = lead.map { $0.formatID == packet.formatID ? $0.packets : [] }
        return [SpeakerEffect.deliver(try packet.sampleBuffer(format: format, preroll: preroll)).about(slot)]
    }

    /// Tries the waiting packet again, and what came after it.
    private mutating func resumeMedia(of slot: Slot, now: HostTime) -> [SpeakerEffect] {
        guard let media = active[slot]?.media, let packet = peers[media]?.waiting else { return [] }
        peers[media]?.waiting = nil
        do throws(WireError) {
            let effects = try place(packet, of: slot, on: media)
            return effects + drain(media, now: now)
        } catch {
            return drop(media, reason: error.description, failure: error)
        }
    }

    /// Pauses a connection whose media wait, resumes it when they do not; gives up when too much waits.
    private mutating func adjustReading(_ connection: ConnectionID) -> [SpeakerEffect] {
        guard let peer = peers[connection] else { return [] }
        let waits = peer.waiting != nil
        if waits, peer.decoder.bufferedCount > WireLimits.waitingBytes {
            let error = WireError.waitedInVain("its format or flush did not arrive")
            return drop(connection, reason: error.description, failure: error)
        }
        guard waits != peer.isPaused else { return [] }
        peers[connection]?.isPaused = waits
        return [waits ? .pauseReading(connection) : .resumeReading(connection)]
    }

    // MARK: Closing

    /// Closes a connection at once, and its session with it.
    package mutating func abandon(_ connection: ConnectionID, reason: String) -> [SpeakerEffect] {
        drop(connection, reason: reason, failure: nil).map { effect in
            if case .close(connection, let reason) = effect { .abandon(connection, reason: reason) } else { effect }
        }
    }

    /// Closes a connection, and its session with it.
    mutating func drop(
        _ connection: ConnectionID, reason: String, failure: WireError?, isGoodbye: Bool = false
    ) -> [SpeakerEffect] {
        guard let peer = peers.removeValue(forKey: connection) else { return [] }
        var effects: [SpeakerEffect] = []
        let ending = peer.role == nil ? nil : active[peer.slot]
        if let failure {
            effects.append(.send(failureMessage(failure).encodedFrame(), on: ending?.control ?? connection))
        }
        effects.append(.close(connection, reason: reason))
        guard let ending else { return effects }
        let slot = peer.slot
        active[slot] = nil
        // An overlay that comes back begins anew.
        if slot != .owner { streams[slot] = nil }
        for other in [ending.control, ending.media].compactMap({ $0 })
        where other != connection && peers.removeValue(forKey: other) != nil {
            effects.append(.close(other, reason: reason))
        }
        let parting = isGoodbye ? SpeakerEffect.senderLeft(reason: reason) : .senderLost(reason: reason)
        return effects + [parting.about(slot)]
    }

    private func failureMessage(_ error: WireError) -> ControlMessage {
        let code =
            switch error {
            case .versionMismatch: ControlMessage.FailureCode.version
            default: ControlMessage.FailureCode.protocolError
            }
        return .failure(code: code, message: error.description)
    }
}
