import NIOCore
import NIOPosix
import TuttiCore
import TuttiHost
import TuttiWire

/// Connections: coming up, going down, coming back.
extension Player {
    /// Finds the rooms' addresses and begins to connect.
    func startRooms() async {
        let named = configuration.rooms.filter { $0.host == nil }
        let known = configuration.rooms.filter { $0.host != nil }
        for address in known { add(address, isDiscovered: false) }
        if !named.isEmpty {
            let found = await RoomResolver.find(Set(named.map(\.name)))
            guard phase != .finished else { return }
            deadline = max(deadline, now.advanced(byNanoseconds: configuration.connectTimeout / 4))
            for address in named {
                switch found[address.name] {
                case .success(let place)?: add(place, isDiscovered: true)
                case .failure(let error)?:
                    guard configuration.allowsMissingRooms else { return finish(error) }
                    emit(.room(name: address.name, state: "unreachable", message: error.description))
                case nil: break
                }
            }
        }
        if rooms.isEmpty { finish(.roomNotFound("", reason: "there is no room to play in")) }
    }

    private func add(_ address: RoomAddress, isDiscovered: Bool) {
        let room = Room(
            index: rooms.count, address: address, isDiscovered: isDiscovered, identity: configuration.identity,
            streamID: streamID, policy: configuration.policy, now: now)
        rooms.append(room)
        connect(room)
    }

    // MARK: Up

    func connect(_ room: Room) {
        room.attempt += 1
        room.link = .connecting
        open(room, role: .control)
    }

    private func open(_ room: Room, role: Hello.Role) {
        let (index, attempt) = (room.index, room.attempt)
        let connecting = transport.connect(
            host: room.address.host ?? "", port: room.address.port, on: loop, timeout: .seconds(2)
        ) { event in
            self.assumeIsolated { $0.take(event, room: index, attempt: attempt, role: role) }
        }
        connecting.whenComplete { result in
            self.assumeIsolated { $0.opened(result, room: index, attempt: attempt, role: role) }
        }
    }

    private func opened(_ result: Result<any Channel, any Error>, room index: Int, attempt: Int, role: Hello.Role) {
        let room = rooms[index]
        guard room.attempt == attempt, phase != .finished else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        switch (result, role) {
        case (.failure(let error), _): lose(room, reason: Self.reason(error, room.address))
        case (.success(let channel), .control):
            room.control = channel
            carryOut(room.session.controlOpened(now: now), in: room)
        case (.success(let channel), .media):
            room.media = channel
            carryOut(room.session.mediaOpened(now: now), in: room)
            room.link = .up
            room.backoff = Room.shortestBackoff
            room.problem = nil
            room.busySince = nil
            if let programmeEnd { carryOut(room.session.send(.end(media: programmeEnd), now: now), in: room) }
            emit(.room(name: room.label, state: "connected", message: ""))
            feed(room)
            advance()
        }
    }

    private func take(_ event: TransportEvent, room index: Int, attempt: Int, role: Hello.Role) {
        let room = rooms[index]
        guard room.attempt == attempt else { return }
        switch (event, role) {
        case (.received(let bytes), .control): carryOut(room.session.controlReceived(bytes, now: now), in: room)
        case (.received(let bytes), .media): carryOut(room.session.mediaReceived(bytes, now: now), in: room)
        case (.writability(let isWritable), .media): if isWritable { feed(room) }
        case (.writability, .control): break
        case (.closed(let reason), _): lose(room, reason: reason)
        }
    }

    // MARK: Effects

    func carryOut(_ effects: [SenderEffect], in room: Room) {
        for effect in effects {
            switch effect {
            case .sendControl(let bytes): room.control?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            case .sendMedia(let bytes): room.media?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            case .openMedia(let welcome): welcomed(by: welcome, in: room)
            case .creditGranted: feed(room)
            case .status(let status): took(status, of: room)
            case .flushed(let loaded):
                room.cursor = nil
                room.resumeAt = SenderSession.resumePoint(after: loaded, playhead: position)
                feed(room)
            case .event(let kind, let message): emit(.room(name: room.label, state: kind, message: message))
            case .refused(let code, let message): refuse(room, code: code, message: message)
            case .close(let reason): lose(room, reason: reason)
            }
        }
    }

    private func welcomed(by welcome: Welcome, in room: Room) {
        if !room.address.name.isEmpty, room.address.name.lowercased() != welcome.name.lowercased(),
            room.address.name != welcome.id
        {
            let reason = "the speaker at \(room.address.endpoint) is called '\(welcome.name)'"
            return fail(room, .roomNotFound(room.address.name, reason: reason))
        }
        let isTwin = rooms.contains {
            $0.index != room.index && $0.session.welcome?.id == welcome.id && $0.link != .refused
        }
        if isTwin {
            return giveUp(room, .roomRefused(room.label, reason: "two of the rooms are the same speaker; name it once"))
        }
        let codec = configuration.encoding.codec.rawValue
        guard welcome.codecs.contains(codec) else {
            return fail(
                room, .roomRefused(room.label, reason: "the speaker does not play \(codec); try another --codec"))
        }
        choose(for: room, welcome)
        room.link = .welcomed
        room.cursor = nil
        agreeOnClock(with: room, welcome)
        room.resumeAt = SenderSession.resumePoint(after: room.session.welcome?.loaded ?? [], playhead: position)
        open(room, role: .media)
    }

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
        emit(.room(name: room.label, state: "lost", message: error.description))
        if rooms.allSatisfy({ $0.link == .refused }) { finish(error) } else { advance() }
    }

    // MARK: Down

    /// The speaker is not to be had at all: no further attempts while starting, slow ones later.
    private func fail(_ room: Room, _ error: SenderError) {
        room.problem = error
        if hasStarted {
            lose(room, reason: error.description)
        } else {
            close(room)
            room.link = .refused
            advance()
        }
    }

    /// A connection broke or could not be made: closes what is left and tries again after a while.
    func lose(_ room: Room, reason: String) {
        switch room.link {
        case .down, .refused: return
        case .connecting, .welcomed, .up: break
        }
        let wasUp = room.isUp
        let reason = room.link == .connecting && room.control != nil ? Self.foreign(room.address) : reason
        close(room)
        room.link = .down(retryAt: now.advanced(byNanoseconds: room.backoff))
        room.backoff = min(room.backoff * 2, hasStarted ? Room.longestBackoff : Room.shortestBackoff)
        let isNews = room.problem == nil || wasUp
        if isNews { room.problem = .roomUnreachable(room.label, reason: reason) }
        if isNews, wasUp || hasStarted { emit(.room(name: room.label, state: "lost", message: reason)) }
        if room.isDiscovered, !wasUp, hasStarted { lookUpAgain(room) }
        advance()
    }

    private func close(_ room: Room) {
        room.attempt += 1
        room.session.closed()
        room.control?.close(promise: nil)
        room.media?.close(promise: nil)
        (room.control, room.media) = (nil, nil)
        room.cursor = nil
        room.status = nil
        leaveClock(of: room)
        replaceClockRoom(lost: room)
    }

    /// The speaker may have another address now.
    private func lookUpAgain(_ room: Room) {
        let (index, name) = (room.index, room.address.name)
        Task {
            guard case .success(let place)? = await RoomResolver.find([name])[name] else { return }
            rooms[index].address = place
        }
    }

    /// Something answered, and not as a speaker does.
    private static func foreign(_ address: RoomAddress) -> String {
        "what answers at \(address.endpoint) is no Tutti speaker, or went away at once; check the address"
    }

    private static func reason(_ error: any Error, _ address: RoomAddress) -> String {
        switch error {
        case let error as NIOConnectionError where error.dnsAError != nil && error.dnsAAAAError != nil:
            return "the host '\(address.host ?? "")' is not known; check the address"
        case let error as NIOConnectionError:
            guard let last = error.connectionErrors.last?.error else { break }
            return reason(last, address)
        case let error as IOError where error.errnoCode == 111:
            return "no speaker listens at \(address.endpoint); is tutti-speaker running there?"
        case let error as IOError:
            return "\(address.endpoint) cannot be reached: \(HostError.text(ofErrno: error.errnoCode))"
        default: break
        }
        return "no answer from \(address.endpoint); check the address and the network"
    }
}
