package import TuttiCore

/// Requests, replies and the choice of the parent.
extension ClockMember {
    /// Nanoseconds after the first request without an answer at which a parent is given up for the next: longer than a radio
    /// link at each end stands still, one after the other; short enough for rooms that ask four times a second to have
    /// turned to the next within a second of its death.
    package static var patience: Int64 { 550_000_000 }
    /// Requests without an answer that it takes besides.
    static var unansweredToMove: Int { 6 }
    /// Nanoseconds between two looks whether a parent further up answers again.
    package static var probeInterval: Int64 { 2_000_000_000 }

    /// When `poll` has something to do; nil when it never has.
    package var deadline: HostTime? {
        var earliest = nextProbe
        if current != nil, let due = follower?.deadline { earliest = min(earliest ?? due, due) }
        return earliest
    }

    /// The next datagram that is due, and nil when there is none.
    package mutating func poll(now: HostTime) -> Datagram? {
        leaveSilentParent(now: now)
        if let request = pollProbe(now: now) { return request }
        guard let current, let bytes = follower?.poll(now: now) else { return nil }
        return Datagram(bytes: bytes, address: parents[current], purpose: .request)
    }

    /// A datagram went out: under which key the socket will report its stamp, and the time just before the send.
    package mutating func sent(_ datagram: Datagram, key: UInt32, userTime: HostTime) {
        switch datagram.purpose {
        case .request: follower?.sent(key: key, userTime: userTime)
        case .probe: probe?.follower.sent(key: key, userTime: userTime)
        case .reply(let token): responder?.sent(token: token, key: key)
        }
    }

    /// The kernel's transmit stamp of the datagram with this key.
    package mutating func transmitted(key: UInt32, at time: HostTime) {
        follower?.transmitted(key: key, at: time)
        responder?.transmitted(key: key, at: time)
    }

    /// Takes a datagram that came from `address` at `arrival`, read at `now`; gives the answer to a request.
    package mutating func received(
        _ bytes: [UInt8], from address: Address, at arrival: HostTime, isKernelStamp: Bool = true, now: HostTime
    ) -> Datagram? {
        if TimingMessage.isReply(bytes) {
            takeReply(bytes, at: arrival, isKernelStamp: isKernelStamp, now: now)
            return nil
        }
        let peer = UInt64(truncatingIfNeeded: address.hashValue)
        guard let reply = responder?.received(bytes, from: peer, at: arrival, now: now) else { return nil }
        return Datagram(bytes: reply.bytes, address: address, purpose: .reply(token: reply.token))
    }

    private mutating func takeReply(_ bytes: [UInt8], at arrival: HostTime, isKernelStamp: Bool, now: HostTime) {
        if let asked = probe {
            // A reply to the request that has no answer yet: held for its better stamp, which nobody waits for here.
            let outcome = probe?.follower.received(bytes, at: arrival, isKernelStamp: isKernelStamp, now: now)
            if case .ignored? = outcome {} else { return ask(asked.index, now: now) }
        }
        _ = follower?.received(bytes, at: arrival, isKernelStamp: isKernelStamp, now: now)
        handOn()
    }

    /// Answers along the newest line.
    mutating func handOn() {
        guard let estimate else { return }
        if responder == nil { responder = TimingResponder(line: estimate) } else { responder?.move(to: estimate) }
    }

    // MARK: Parents

    /// Turns to the next parent when the present one has been silent for too long; after the last, to its own line.
    private mutating func leaveSilentParent(now: HostTime) {
        guard let current, let follower, follower.unanswered >= Self.unansweredToMove,
            follower.timeWithoutAnswer(now: now) >= Self.patience
        else { return }
        if current + 1 < parents.count {
            ask(current + 1, now: now)
        } else if let line = estimate {
            lastStatistics = follower.statistics
            ownLine = line
            self.follower = nil
            self.current = nil
            handOn()
        } else if parents.count > 1 {
            ask(0, now: now)
        }
        scheduleProbe(now: now)
    }

    private mutating func scheduleProbe(now: HostTime) {
        let hasBetter = parents.count > 0 && current != 0
        nextProbe = hasBetter ? now.advanced(byNanoseconds: Self.probeInterval) : nil
    }

    /// Asks one of the parents above the present one, in turn.
    private mutating func pollProbe(now: HostTime) -> Datagram? {
        guard let due = nextProbe, due <= now, let timescale else { return nil }
        scheduleProbe(now: now)
        let above = current ?? parents.count
        guard above > 0 else { return nil }
        probeTurn = (probeTurn + 1) % above
        var asking = ParentProbe(
            index: probeTurn, follower: ClockFollower(timescale: timescale, seed: nextSeed(), now: now))
        guard let bytes = asking.follower.poll(now: now) else { return nil }
        probe = asking
        return Datagram(bytes: bytes, address: parents[asking.index], purpose: .probe)
    }
}
