package import TuttiCore

/// Requests and replies.
extension ClockMember {
    /// When `poll` has something to do; nil when it never has.
    package var deadline: HostTime? {
        [probes.deadline, search?.nextRound, follower?.deadline].compactMap(\.self).min()
    }

    /// The next datagram that is due, and nil when there is none.
    package mutating func poll(now: HostTime) -> Datagram? {
        watchParent(now: now)
        missQuestions(now: now)
        if let request = pollProbe(now: now) { return request }
        let (spoken, system, isIdle) = (spoken(now: now), saysSystem(now: now), isIdle)
        let bytes = role.changeFollower {
            $0.poll(now: now, descent: spoken, usesSystemClock: system, isIdle: isIdle)
        }
        guard let parent, let bytes = bytes ?? nil else { return nil }
        return Datagram(bytes: bytes, address: parent, purpose: .request)
    }

    /// A datagram went out: under which key the socket will report its stamp, and the time just before the send.
    package mutating func sent(_ datagram: Datagram, key: UInt32, userTime: HostTime) {
        switch datagram.purpose {
        case .request: role.changeFollower { $0.sent(key: key, userTime: userTime) }
        case .probe(let clientID):
            probes.sent(clientID: clientID, key: key, userTime: userTime)
        case .reply(let token): responder?.sent(token: token, key: key)
        }
    }

    /// The transmit stamp of the datagram with this key.
    package mutating func transmitted(key: UInt32, at time: HostTime, stamp: StampKind = .kernel) {
        role.changeFollower { $0.transmitted(key: key, at: time, stamp: stamp) }
        responder?.transmitted(key: key, at: time, stamp: stamp)
    }

    /// Takes a datagram that came from `address` at `arrival`, read at `now`; gives the answer to a request.
    package mutating func received(
        _ bytes: [UInt8], from address: Address, at arrival: HostTime, stamp: StampKind = .kernel, now: HostTime
    ) -> Datagram? {
        if TimingMessage.isReply(bytes) {
            takeReply(bytes, at: arrival, stamp: stamp, now: now)
            return nil
        }
        // One that has stood still for a while does not know yet whether the others have gone on without it.
        guard mayAnswer, !isStale(now: now) else { return nil }
        let peer = UInt64(truncatingIfNeeded: address.hashValue)
        let spoken = spoken(now: now)
        noteSystemWord(bytes, of: address, now: now)
        let system = tellsSystem(now: now)
        let reply = responder?.received(
            bytes, from: peer, at: arrival, stamp: stamp, now: now, descent: spoken, usesSystemClock: system)
        guard let reply else { return nil }
        if isLeading { origin = now }
        if peers.contains(address) { questions.note(address, now: now) }
        askBack(bytes, address, now: now)
        return Datagram(bytes: reply.bytes, address: address, purpose: .reply(token: reply.token))
    }

    private mutating func takeReply(_ bytes: [UInt8], at arrival: HostTime, stamp: StampKind, now: HostTime) {
        let message = try? TimingMessage(parsing: bytes)
        if let message, probes.awaits(clientID: message.clientID) {
            let probe = probes.received(bytes, clientID: message.clientID, at: arrival, stamp: stamp, now: now)
            guard let probe, probe.follower.isPrompt || estimate == nil,
                !isTooFar(message, from: probe.address, arrival: arrival)
            else { return }
            let finding = ParentSearch.Finding(
                address: probe.address, descent: probe.follower.told, askedAt: probe.follower.toldAt)
            return judge(finding, now: now)
        }
        let outcome = role.changeFollower { $0.received(bytes, at: arrival, stamp: stamp, now: now) }
        switch outcome {
        case .accepted, .gated, .held, .ignored(.farOff):
            if let follower, follower.isPrompt || estimate == nil {
                hear(follower.told, askedAt: follower.toldAt, now: now)
            }
        case .ignored, nil: break
        }
        handOn()
    }

    /// Answers along the newest line.
    mutating func handOn() {
        guard let estimate else { return }
        if responder == nil { responder = TimingResponder(line: estimate) } else { responder?.move(to: estimate) }
    }
}
