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
            guard let role = peers[connection]?.role else { return try greet(message, on: connection, now: now) }
            guard role == .control else {
                throw .unexpectedMessage(type: message.type, reason: "the media connection carries packets alone")
            }
            return try handle(message, on: connection, now: now)
        case .media(let body):
            guard connection == active?.media else {
                throw .unexpectedMessage(type: "media", reason: "packets belong on the media connection, after hello")
            }
            return try handle(MediaPacket(parsing: body), on: connection)
        }
    }

    // MARK: Hello

    private mutating func greet(
        _ message: ControlMessage, on connection: ConnectionID, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        guard case .hello(let hello) = message else {
            throw .unexpectedMessage(type: message.type, reason: "hello comes first")
        }
        guard hello.version == WireLimits.version else {
            throw .versionMismatch(theirs: hello.version, ours: WireLimits.version)
        }
        switch hello.role {
        case .control: return greetControl(hello, on: connection, now: now)
        case .media: return greetMedia(hello, on: connection)
        }
    }

    private mutating func greetControl(
        _ hello: Hello, on connection: ConnectionID, now: HostTime
    ) -> [SpeakerEffect] {
        var effects: [SpeakerEffect] = []
        if let active {
            let isSilent = active.lastHeard.advanced(byNanoseconds: WireLimits.silenceTimeout) <= now
            guard active.senderID == hello.senderID || isSilent else {
                return refuse(
                    connection, code: ControlMessage.FailureCode.busy, message: "another sender plays here")
            }
            if active.senderID == hello.senderID, stream?.id != hello.stream {
                // Two programmes of one sender would otherwise take the place from each other for ever.
                let code = ControlMessage.FailureCode.replaced
                effects += send(.failure(code: code, message: "another programme of the same sender plays here now"))
            }
            effects += drop(active.control, reason: "a new connection takes its place", failure: nil)
        }
        peers[connection]?.role = .control
        active = Active(
            senderID: hello.senderID, token: hexadecimal(makeToken()), control: connection, lastHeard: now)
        let arriving = Stream(senderID: hello.senderID, id: hello.stream)
        if stream?.senderID != arriving.senderID || stream?.id != arriving.id || arriving.id == nil {
            stream = arriving
        }
        return effects + [.senderArrived(hello)]
    }

    private mutating func greetMedia(_ hello: Hello, on connection: ConnectionID) -> [SpeakerEffect] {
        guard let active, active.token == hello.session, active.senderID == hello.senderID, active.media == nil else {
            return refuse(
                connection, code: ControlMessage.FailureCode.session, message: "there is no such session")
        }
        peers[connection]?.role = .media
        self.active?.media = connection
        return [.mediaConnected]
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
        _ message: ControlMessage, on connection: ConnectionID, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        switch message {
        case .clock(let clock): return [.clock(clock, from: connection)]
        case .timebase(let command): return [.timebase(command)]
        case .volume(let command): return [.volume(command)]
        case .outputDelay(let milliseconds): return [.outputDelay(milliseconds: milliseconds)]
        case .end(let media): return [.end(media: media)]
        case .ping, .unsupported: return []
        case .unknown(let type): return send(.unsupported(type: type))
        case .format(let id, let format): return try define(format, id: id, now: now)
        case .flush(let generation, let from): return flush(generation, from: from, now: now)
        case .goodbye(let reason):
            stream = nil
            return drop(connection, reason: reason, failure: nil, isGoodbye: true)
        case .hello, .welcome, .credit, .status, .flushed, .event, .failure:
            throw .unexpectedMessage(type: message.type, reason: "a sender does not say that here")
        }
    }

    private mutating func define(
        _ format: AudioFormat, id: UInt16, now: HostTime
    ) throws(WireError) -> [SpeakerEffect] {
        guard let count = active?.formats.count, count < WireLimits.formats || active?.formats[id] != nil else {
            throw .malformedMessage("more than \(WireLimits.formats) formats")
        }
        active?.formats[id] = format
        return resumeMedia(now: now)
    }

    private mutating func flush(_ generation: UInt32, from: MediaTime?, now: HostTime) -> [SpeakerEffect] {
        stream?.generation = generation
        active?.lead = nil
        return [.flush(generation: generation, from: from)] + resumeMedia(now: now)
    }

    // MARK: Media

    private mutating func handle(
        _ packet: MediaPacket, on connection: ConnectionID
    ) throws(WireError) -> [SpeakerEffect] {
        let bytes = (active?.receivedBytes ?? 0) &+ UInt64(packet.payload.count)
        let granted = active?.grantedBytes ?? 0
        guard bytes <= granted else { throw .creditExceeded(sent: bytes, granted: granted) }
        active?.receivedBytes = bytes
        guard packet.streamID == stream?.id ?? packet.streamID else { return [] }
        return try place(packet, on: connection)
    }

    /// Delivers a packet, drops it when a flush has overtaken it, or lets it wait for what it refers to.
    private mutating func place(
        _ packet: MediaPacket, on connection: ConnectionID
    ) throws(WireError) -> [SpeakerEffect] {
        let distance = Int32(bitPattern: packet.generation &- generation)
        if distance < 0 { return [] }
        guard distance == 0, let format = active?.formats[packet.formatID] else {
            peers[connection]?.waiting = packet
            return []
        }
        return try deliver(packet, of: format)
    }

    /// Delivers a packet that is heard, with those before it that are not; keeps the latter until it comes.
    private mutating func deliver(
        _ packet: MediaPacket, of format: AudioFormat
    ) throws(WireError) -> [SpeakerEffect] {
        var lead = packet.restartsDecoder ? Lead(formatID: packet.formatID) : active?.lead
        guard packet.isAudible else {
            try lead?.append(packet)
            active?.lead = lead
            return []
        }
        active?.lead = nil
        let preroll = lead.map { $0.formatID == packet.formatID ? $0.packets : [] }
        return [.deliver(try packet.sampleBuffer(format: format, preroll: preroll))]
    }

    /// Tries the waiting packet again, and what came after it.
    private mutating func resumeMedia(now: HostTime) -> [SpeakerEffect] {
        guard let media = active?.media, let packet = peers[media]?.waiting else { return [] }
        peers[media]?.waiting = nil
        do throws(WireError) {
            let effects = try place(packet, on: media)
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
            let error = WireError.waitedInVain("its format or flush has not come")
            return drop(connection, reason: error.description, failure: error)
        }
        guard waits != peer.isPaused else { return [] }
        peers[connection]?.isPaused = waits
        return [waits ? .pauseReading(connection) : .resumeReading(connection)]
    }

    // MARK: Closing

    /// Closes a connection, and its session with it.
    mutating func drop(
        _ connection: ConnectionID, reason: String, failure: WireError?, isGoodbye: Bool = false
    ) -> [SpeakerEffect] {
        guard peers.removeValue(forKey: connection) != nil else { return [] }
        var effects: [SpeakerEffect] = []
        let sessionEnds = active.map { $0.control == connection || $0.media == connection } ?? false
        if let failure {
            let target = sessionEnds ? active?.control ?? connection : connection
            effects.append(.send(failureMessage(failure).encodedFrame(), on: target))
        }
        effects.append(.close(connection, reason: reason))
        if sessionEnds, let active {
            self.active = nil
            for other in [active.control, active.media].compactMap({ $0 })
            where other != connection && peers.removeValue(forKey: other) != nil {
                effects.append(.close(other, reason: reason))
            }
            effects.append(isGoodbye ? .senderLeft(reason: reason) : .senderLost(reason: reason))
        }
        return effects
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
