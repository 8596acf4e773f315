package import TuttiCore

/// The leader's half of the clock exchange: answers requests with the group clock, which is its host clock plus a
/// constant, or, when it took over from another leader, the line that it followed that one on.
///
/// A role, not a place: any member makes one to lead. Call contract: give every datagram to `received` and send the
/// reply; call `sent` with the reply's token and the socket's key right after, and `transmitted` when the kernel's
/// stamp of that key comes; the next reply to the same follower carries it. The table of followers is bounded, each has
/// a rate limit, and a reply is never longer than its request.
package struct TimingResponder: Sendable {
    /// A datagram to send back.
    package struct Reply: Sendable, Equatable {
        /// The datagram.
        package let bytes: [UInt8]
        /// Names the reply in `sent`.
        package let token: UInt64
    }

    /// What came of the datagrams so far.
    package struct Statistics: Sendable, Equatable {
        /// Requests answered.
        package var answered = 0
        /// Datagrams that are not valid requests.
        package var malformed = 0
        /// Requests for another group clock.
        package var wrongTimescale = 0
        /// Requests beyond a follower's rate.
        package var limited = 0
        /// Followers dropped from the table for newer ones.
        package var evicted = 0
    }

    /// Followers remembered at most; the one silent for longest goes first.
    package static let maximumPeers = 256
    /// Requests that a follower may send at once: the opening burst and the denser seconds after it, beyond the rate.
    static let burst = 160.0
    /// Requests a second that it may keep up.
    static let rate = 30.0
    /// Replies whose kernel stamp is waited for at most.
    static let maximumPending = 64

    private struct Peer {
        var clientID: UInt64
        var allowance = TimingResponder.burst
        var lastSeen: HostTime
        var previous: (sequence: UInt32, hold: UInt32, stamp: StampKind)?
    }

    private struct Pending {
        let token: UInt64
        let peer: UInt64
        let clientID: UInt64
        let sequence: UInt32
        let arrival: HostTime
        let repliedAt: HostTime
        var key: UInt32?
    }

    /// The group clock that is led.
    package var timescale: TimescaleID { line.timescale }
    /// What defines the group clock from here on.
    private var line: ClockEstimate
    /// Counters.
    package private(set) var statistics = Statistics()
    private var peers: [UInt64: Peer] = [:]
    private var pending: [Pending] = []
    private var lastToken: UInt64 = 0

    /// Leads `timescale`, whose time is host time plus `epochOffset` nanoseconds.
    package init(timescale: TimescaleID, epochOffset: Int64) {
        line = ClockEstimate(
            timescale: timescale, referenceHost: HostTime(nanoseconds: 0), offset: epochOffset, drift: 0,
            offsetSigma: 0, driftSigma: 0)
    }

    /// Leads a timescale on from where another leader left it: along `line`, its drift included, which from now on
    /// defines the group clock and has no error.
    package init(line: ClockEstimate) {
        var line = line
        line.offsetSigma = 0
        line.driftSigma = 0
        self.line = line
    }

    /// Answers along another line of the same timescale from now on: what the member itself knows has improved.
    package mutating func move(to line: ClockEstimate) {
        guard line.timescale == timescale else { return }
        self.line = line
    }

    /// The group time at a host time, to the nanosecond.
    package func groupTime(at host: HostTime) -> GroupTime { line.groupTime(at: host) }

    /// The leader's own clock as an estimate without error, anchored at `now`.
    package func estimate(now: HostTime) -> ClockEstimate { line.moved(to: now) }

    /// Answers a datagram from `peer` (a key for its address) that arrived at `arrival` and is answered at `now`.
    ///
    /// - Parameters:
    ///   - stamp: who read the clock at `arrival`.
    ///   - descent: where the time that is told comes from.
    ///   - usesSystemClock: whether the group's clock goes by the leader's system clock.
    package mutating func received(
        _ bytes: [UInt8], from peer: UInt64, at arrival: HostTime, stamp: StampKind = .kernel, now: HostTime,
        descent: ClockDescent? = nil, usesSystemClock: Bool = false
    ) -> Reply? {
        guard let request = try? TimingMessage(parsing: bytes), request.kind == .request else {
            statistics.malformed += 1
            return nil
        }
        guard request.timescale == timescale else {
            statistics.wrongTimescale += 1
            return nil
        }
        let t2 = groupTime(at: arrival).nanoseconds
        let hold = Nanoseconds.subtract(groupTime(at: now).nanoseconds, t2)
        guard let known = admit(peer, clientID: request.clientID, now: now) else {
            statistics.limited += 1
            return nil
        }
        guard hold >= 0, hold <= Int64(TimingMessage.maximumHold),
            t2.magnitude < TimingMessage.maximumNanoseconds.magnitude
        else { return nil }
        var reply = TimingMessage(replyTo: request, t2: t2, hold: UInt32(hold))
        reply.descent = descent
        reply.usesSystemClock = usesSystemClock
        reply.hasHardwareArrival = stamp == .hardware
        if let previous = known.previous, let distance = UInt8(exactly: request.sequence &- previous.sequence) {
            reply.previousDistance = distance
            reply.previousHold = distance > 0 ? previous.hold : 0
            reply.hasHardwareDeparture = distance > 0 && previous.stamp == .hardware
        }
        lastToken &+= 1
        if pending.count == Self.maximumPending { pending.removeFirst() }
        pending.append(
            Pending(
                token: lastToken, peer: peer, clientID: request.clientID, sequence: request.sequence, arrival: arrival,
                repliedAt: now))
        statistics.answered += 1
        return Reply(bytes: reply.encode(), token: lastToken)
    }

    /// The reply with this token went out; the socket will report its stamp under `key`.
    package mutating func sent(token: UInt64, key: UInt32) {
        guard let index = pending.lastIndex(where: { $0.token == token }) else { return }
        pending[index].key = key
    }

    /// The transmit stamp of the datagram with this key; keys of other datagrams are ignored.
    package mutating func transmitted(key: UInt32, at time: HostTime, stamp: StampKind = .kernel) {
        guard let index = pending.lastIndex(where: { $0.key == key }) else { return }
        let reply = pending.remove(at: index)
        let hold = Nanoseconds.subtract(
            groupTime(at: time).nanoseconds, groupTime(at: reply.arrival).nanoseconds)
        // Earlier than the reply was written, or much later: the stamp of a stepped clock.
        guard time >= reply.repliedAt, hold >= 0, hold <= Int64(TimingMessage.maximumHold),
            peers[reply.peer]?.clientID == reply.clientID
        else { return }
        peers[reply.peer]?.previous = (reply.sequence, UInt32(hold), stamp)
    }

    /// Counts a request against its sender's allowance; nil when that is used up.
    private mutating func admit(_ key: UInt64, clientID: UInt64, now: HostTime) -> Peer? {
        var peer = peers[key] ?? Peer(clientID: clientID, lastSeen: now)
        if peers[key] == nil, peers.count >= Self.maximumPeers {
            if let oldest = peers.min(by: { $0.value.lastSeen < $1.value.lastSeen })?.key {
                peers[oldest] = nil
                statistics.evicted += 1
            }
        }
        let elapsed = Double(max(now.nanoseconds(since: peer.lastSeen), 0)) / 1e9
        peer.allowance = min(peer.allowance + elapsed * Self.rate, Self.burst)
        peer.lastSeen = max(now, peer.lastSeen)
        if peer.clientID != clientID {
            peer.clientID = clientID
            peer.previous = nil
        }
        let isAllowed = peer.allowance >= 1
        if isAllowed { peer.allowance -= 1 }
        peers[key] = peer
        return isAllowed ? peer : nil
    }
}
