package import TuttiCore

/// Requests and replies.
extension ClockMember {
    /// When `poll` has something to do; nil when it never has.
    package var deadline: HostTime? {
        [nextProbe, waitingSince, search?.nextRound, parent == nil ? nil : follower?.deadline].compactMap(\.self).min()
    }

    /// The next datagram that is due, and nil when there is none.
    package mutating func poll(now: HostTime) -> Datagram? {
        watchParent(now: now)
        missQuestions(now: now)
        if let request = pollProbe(now: now) { return request }
        let (spoken, system, isIdle) = (spoken(now: now), saysSystem(now: now), isIdle)
        let bytes = follower?.poll(now: now, descent: spoken, usesSystemClock: system, isIdle: isIdle)
        guard let parent, let bytes else { return nil }
        return Datagram(bytes: bytes, address: parent, purpose: .request)
    }

    /// A datagram went out: under which key the socket will report its stamp, and the time just before the send.
    package mutating func sent(_ datagram: Datagram, key: UInt32, userTime: HostTime) {
        switch datagram.purpose {
        case .request: follower?.sent(key: key, userTime: userTime)
        case .probe(let clientID):
            guard let index = probes.lastIndex(where: { $0.follower.clientID == clientID }) else { return }
            probes[index].follower.sent(key: key, userTime: userTime)
        case .reply(let token): responder?.sent(token: token, key: key)
        }
    }

    /// The transmit stamp of the datagram with this key.
    package mutating func transmitted(key: UInt32, at time: HostTime, stamp: StampKind = .kernel) {
        follower?.transmitted(key: key, at: time, stamp: stamp)
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
        if peers.contains(address) {
            questions[address] = now
            nextMiss = nextMiss ?? now.advanced(byNanoseconds: Self.followerSilence)
        }
        askBack(bytes, address, now: now)
        return Datagram(bytes: reply.bytes, address: address, purpose: .reply(token: reply.token))
    }

    private mutating func takeReply(_ bytes: [UInt8], at arrival: HostTime, stamp: StampKind, now: HostTime) {
        let message = try? TimingMessage(parsing: bytes)
        if let message, let index = probes.firstIndex(where: { $0.follower.clientID == message.clientID }) {
            // Held for its better stamp, which nobody waits for here.
            let outcome = probes[index].follower.received(bytes, at: arrival, stamp: stamp, now: now)
            if case .ignored = outcome { return }
            let probe = probes.remove(at: index)
            guard probe.follower.isPrompt || estimate == nil, !isTooFar(message, from: probe.address, arrival: arrival)
            else { return }
            let finding = ParentSearch.Finding(
                address: probe.address, descent: probe.follower.told, askedAt: probe.follower.toldAt)
            return judge(finding, now: now)
        }
        let outcome = follower?.received(bytes, at: arrival, stamp: stamp, now: now)
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
