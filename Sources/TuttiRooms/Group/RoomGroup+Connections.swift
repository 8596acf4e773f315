import NIOCore
import NIOPosix
import TuttiCore
import TuttiHost
import TuttiSchema
import TuttiTrust
import TuttiWire

/// Connections: coming up, going down, coming back.
extension RoomGroup {
    /// Plays in this room too.
    ///
    /// - Parameters:
    ///   - isDiscovered: whether the address came from the network and may be looked up again.
    ///   - isClaim: whether a person has just asked for it.
    package func add(_ address: RoomAddress, isDiscovered: Bool, isClaim: Bool) {
        forgetRelease { $0.isCalled(address.name) || $0.address == address }
        let session = SenderSession(
            senderID: configuration.identity.id, senderName: configuration.identity.name, streamID: streamID,
            policy: configuration.policy)
        let room = Room(self, address: address, isDiscovered: isDiscovered, session: session)
        join(room)
        if isClaim { claim(room) } else { connect(room) }
    }

    /// Plays in this room though another sender may: a person wants it. The wish holds for a moment, and for one
    /// welcome.
    func claim(_ room: Room) {
        room.session.isClaim = !isOverlay
        room.claimEnds = now.advanced(byNanoseconds: Room.claimTime)
        (room.problem, room.busySince, room.care.lostSince) = (nil, nil, nil)
        connect(room)
    }

    // MARK: Up

    func connect(_ room: Room) {
        if room.claimEnds.map({ $0 <= now }) ?? true { room.session.isClaim = false }
        room.attempt += 1
        room.link = .connecting
        if room.address.host == nil { lookUp(room) } else { open(room, role: .control) }
    }

    func open(_ room: Room, role: Hello.Role) {
        let (number, attempt, group) = (room.number, room.attempt, bound)
        // A handshake has certificates in it: where large packets get lost it would too, and with it all that is said.
        let connecting = host.transport.connect(
            host: room.address.host ?? "", port: room.address.port, on: loop,
            timeout: hasStarted ? .seconds(1) : .seconds(2),
            inShortSegments: role == .control || room.care.hasShortSegments
        ) { event in
            group.value.take(event, room: number, attempt: attempt, role: role)
        }
        let context = configuration.identity.trust?.context
        let ready = connecting.flatMap { channel in
            TLS.secure(channel, context).map { (channel: channel, peer: $0) }
        }
        ready.whenComplete { result in
            group.value.opened(result, room: number, attempt: attempt, role: role)
        }
    }

    private func opened(
        _ result: Result<(channel: any Channel, peer: String?), any Error>, room number: Int, attempt: Int,
        role: Hello.Role
    ) {
        guard let room = room(number), room.attempt == attempt, !isLeaving else {
            if case .success(let connection) = result { connection.channel.close(promise: nil) }
            return
        }
        switch (result, role) {
        case (.failure(let error), _): lose(room, reason: Self.reason(error, room.address))
        // A group does not come to look.
        case (.success(let connection), .look): connection.channel.close(promise: nil)
        case (.success((let channel, let peer)), .control):
            room.control = channel
            room.session.prepare(for: peer, as: configuration.identity.trust, room: room.address.name)
            if room.care.isMarked { host.transport.prefer(channel) }
            carryOut(room.session.controlOpened(now: now), in: room)
        case (.success((let channel, let peer)), .media):
            guard peer == room.session.peerID else {
                channel.close(promise: nil)
                return lose(room, reason: "another speaker answers there")
            }
            room.media = channel
            carryOut(room.session.mediaOpened(now: now), in: room)
            room.link = .up
            if room.session.welcome?.clock == nil { room.clock.birth = now }
            settle(room)
            room.care.link.reconnected(now: now, besides: rooms.count - 1)
            room.care.pace = LinkPace.usualMost
            keepPace(of: room)
            room.hasBeenUp = true
            room.problem = nil
            room.busySince = nil
            if let timelineEnd { carryOut(room.session.send(.end(media: timelineEnd), now: now), in: room) }
            report(.room(name: room.label, .connected, message: ""))
            feed(room)
            report(.changed)
        }
    }

    private func take(_ event: TransportEvent, room number: Int, attempt: Int, role: Hello.Role) {
        guard let room = room(number), room.attempt == attempt else { return }
        switch (event, role) {
        case (.received(let bytes), .control): carryOut(room.session.controlReceived(bytes, now: now), in: room)
        case (.received(let bytes), .media): carryOut(room.session.mediaReceived(bytes, now: now), in: room)
        case (.writability(let isWritable), .media): if isWritable { feed(room) }
        case (.writability(let isWritable), .control):
            // What it is told would pile up here.
            if !isWritable { lose(room, reason: "the speaker does not read its messages") }
        case (.received, .look), (.writability, .look): break
        case (.closed, _) where isReleased(room): closedReleased(room)
        case (.closed(let reason), .media): awaitLastWord(of: room, reason: reason)
        case (.closed(let reason), _): lose(room, reason: reason)
        }
    }

    /// The audio's connection is over. Who hangs up says why on the other one, and what was said there first may come
    /// in last.
    private func awaitLastWord(of room: Room, reason: String) {
        room.media = nil
        let (number, attempt, group) = (room.number, room.attempt, bound)
        loop.scheduleTask(in: Self.lastWordTimeout) {
            guard let room = group.value.room(number), room.attempt == attempt else { return }
            group.value.lose(room, reason: reason)
        }
    }

    private static let lastWordTimeout = TimeAmount.milliseconds(100)

    // MARK: Down

    /// A connection broke or could not be made: closes what is left and tries again after a while.
    ///
    /// - Parameter pause: nanoseconds until then, if not the usual.
    func lose(_ room: Room, reason: String, pause: Int64? = nil) {
        if isReleased(room) { return callAgain(room) }
        switch room.link {
        case .down, .refused: return
        case .connecting, .welcomed, .up: break
        }
        let wasUp = room.isUp
        let isUnheard = room.link == .connecting && room.control != nil
        if isUnheard { room.care.wasNotHeard() }
        let reason = isUnheard ? Self.foreign(room.address) : reason
        close(room)
        room.care.lostSince = room.care.lostSince ?? now
        room.link = .down(retryAt: now.advanced(byNanoseconds: pause ?? room.care.pause(now: now)))
        let isNews = room.problem == nil || wasUp
        if isNews { room.problem = .roomUnreachable(room.label, reason: reason) }
        if isNews, wasUp || hasStarted { report(.room(name: room.label, .lost, message: reason)) }
        if !wasUp, hasStarted { lookElsewhere(for: room) }
        report(.changed)
    }

    func close(_ room: Room) {
        room.attempt += 1
        room.session.closed()
        room.control?.close(promise: nil)
        room.media?.close(promise: nil)
        (room.control, room.media, room.clock.address) = (nil, nil, nil)
        room.feed.lookAnew()
        room.feed.isLoading = false
        (room.status, room.clock.told, room.clock.toldReference) = (nil, nil, nil)
        room.care.watch = LinkWatch()
        leaveClock(of: room)
        replaceClockRoom(lost: room)
    }

    private func lookUp(_ room: Room) {
        let (number, attempt, name, group) = (room.number, room.attempt, room.address.name, bound)
        findRooms([name]).whenSuccess { found in
            guard let room = group.value.room(number), room.attempt == attempt, !group.value.isLeaving else { return }
            switch found[name] {
            case .success(let place)?:
                room.address = place
                group.value.open(room, role: .control)
            case .failure(let error)?: group.value.lose(room, reason: error.reason)
            case nil: break
            }
        }
    }

    /// Something answered, and not as a speaker does.
    private static func foreign(_ address: RoomAddress) -> String {
        "\(address.endpoint) closed the connection; is it a Tutti speaker?"
    }

    private static func reason(_ error: any Error, _ address: RoomAddress) -> String {
        switch error {
        case let error as NIOConnectionError where error.dnsAError != nil && error.dnsAAAAError != nil:
            return "no such host: \(address.host ?? ""); check the address"
        case let error as NIOConnectionError:
            guard let last = error.connectionErrors.last?.error else { break }
            return reason(last, address)
        case HandshakeError.failed: return SpeakerSocket.unsecured(address.endpoint)
        case let error as IOError where error.errnoCode == 111:
            return "no speaker listens at \(address.endpoint); is tutti-speaker running there?"
        case let error as IOError:
            return "cannot reach \(address.endpoint): \(HostError.text(ofErrno: error.errnoCode))"
        default: break
        }
        return "no answer from \(address.endpoint); check the address and the network"
    }
}
