import TuttiCore

/// The exchanges of a follower that are under way or wait for a better stamp; at most 64.
struct ExchangeTable: Sendable {
    /// One request and what is known of its reply.
    struct Exchange: Sendable {
        let sequence: UInt32
        /// t1 as the request carries it.
        let echoedT1: Int64
        var key: UInt32?
        /// t1: user-space time at first, the kernel's stamp when it comes.
        var sentAt: Int64
        var t2: Int64 = 0
        var t3: Int64 = 0
        var receivedAt: Int64 = 0
        var isAnswered = false
        /// Who stamped the request's departure and the reply's, and the reply's arrival.
        var sendStamp = StampKind.user
        var replyStamp = StampKind.user
        var receiveStamp = StampKind.user
        /// Who stamped the request's arrival: the leader tells of hardware only.
        var requestStamp = StampKind.kernel

        /// The lesser kind of each direction.
        var forwardStamps: StampKind { min(sendStamp, requestStamp) }
        var returnStamps: StampKind { min(replyStamp, receiveStamp) }
        var hardware: HardwareStampSet {
            var set: HardwareStampSet = []
            if sendStamp == .hardware { set.insert(.requestSent) }
            if requestStamp == .hardware { set.insert(.requestReceived) }
            if replyStamp == .hardware { set.insert(.replySent) }
            if receiveStamp == .hardware { set.insert(.replyReceived) }
            return set
        }
        /// Delay there and back; at most a few seconds once answered.
        var roundTrip: Int64 { Nanoseconds.subtract(receivedAt - sentAt, t3 - t2) }
    }

    static let capacity = 64
    private var open: [Exchange] = []
    /// The last exchange that was answered.
    private(set) var lastAnswered: Exchange?

    mutating func open(_ sequence: UInt32, at now: HostTime) {
        if open.count == Self.capacity { open.removeFirst() }
        precondition(open.count < Self.capacity, "the oldest exchange has made room")
        open.append(Exchange(sequence: sequence, echoedT1: now.nanoseconds, sentAt: now.nanoseconds))
    }

    mutating func sent(_ sequence: UInt32, key: UInt32, at time: HostTime) {
        guard let index = open.lastIndex(where: { $0.sequence == sequence }) else { return }
        open[index].key = key
        // A time before the poll or long after it is not of this send.
        let lateness = Nanoseconds.subtract(time.nanoseconds, open[index].echoedT1)
        if lateness >= 0, lateness < ClockFollower.maximumRoundTrip { open[index].sentAt = time.nanoseconds }
    }

    /// A stamp earlier than the send, or later than the reply, is a stepped clock's and is dropped.
    mutating func transmitted(key: UInt32, at time: HostTime, stamp: StampKind) {
        guard let index = open.lastIndex(where: { $0.key == key && $0.sendStamp < stamp }) else { return }
        var exchange = open[index]
        let delay = Nanoseconds.subtract(time.nanoseconds, exchange.sentAt)
        guard delay >= 0, delay < ClockFollower.maximumRoundTrip else { return }
        exchange.sentAt = time.nanoseconds
        exchange.sendStamp = stamp
        if exchange.isAnswered, exchange.roundTrip < 0 { return }
        open[index] = exchange
    }

    /// Completes the exchange that `reply` answers, or says why it does not.
    mutating func answer(
        _ reply: TimingMessage, at arrival: HostTime, stamp: StampKind, now: HostTime
    ) -> ClockFollower.IgnoreReason? {
        guard let index = open.lastIndex(where: { $0.sequence == reply.sequence }), !open[index].isAnswered else {
            return .unknownSequence
        }
        var exchange = open[index]
        guard exchange.echoedT1 == reply.t1 else { return .wrongClient }
        let wait = Nanoseconds.subtract(arrival.nanoseconds, exchange.sentAt)
        guard wait >= 0, wait <= ClockFollower.maximumRoundTrip, arrival <= now else { return .impossibleTimes }
        exchange.t2 = reply.t2
        exchange.t3 = reply.t3
        exchange.receivedAt = arrival.nanoseconds
        guard exchange.roundTrip >= 0 else { return .impossibleTimes }
        precondition(!exchange.isAnswered, "one reply answers an exchange")
        exchange.isAnswered = true
        exchange.receiveStamp = stamp
        exchange.requestStamp = reply.hasHardwareArrival ? .hardware : .kernel
        open[index] = exchange
        lastAnswered = exchange
        return nil
    }

    /// Takes the leader's kernel stamp of an earlier reply, if that one waits for it and the stamp is possible.
    mutating func improve(_ reply: TimingMessage) {
        guard reply.previousDistance > 0 else { return }
        let wanted = reply.sequence &- UInt32(reply.previousDistance)
        guard let index = open.lastIndex(where: { $0.sequence == wanted && $0.isAnswered }) else { return }
        var exchange = open[index]
        let better = exchange.t2 + Int64(reply.previousHold)
        guard better >= exchange.t3 else { return }
        exchange.t3 = better
        exchange.replyStamp = reply.hasHardwareDeparture ? .hardware : .kernel
        if exchange.roundTrip >= 0 { open[index] = exchange }
    }

    /// Removes and returns the answered exchanges, but for `held`, in the order of sending; drops what is lost.
    mutating func takeAnswered(except held: UInt32?) -> [Exchange] {
        let ready = open.filter { $0.isAnswered && $0.sequence != held }
        guard !ready.isEmpty else { return [] }
        open.removeAll { $0.isAnswered && $0.sequence != held }
        return ready
    }
}
