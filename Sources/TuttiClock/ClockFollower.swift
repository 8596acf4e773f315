package import TuttiCore

/// The follower's half of the clock exchange with one leader, and the estimate that comes of it.
///
/// Call contract: when `now` reaches `deadline`, call `poll` and send what it returns; call `sent` with the socket's
/// key right after each send, `transmitted` when the kernel's stamp of that key comes (never, where it does not stamp),
/// and `received` with every datagram. Nothing here reads a clock or touches a socket.
///
/// An answered exchange is held until the next reply, which carries the kernel's stamp of its own reply: the estimator
/// sees every exchange once, with the best stamps there will be. Where the leader sends no such stamps it is not held.
package struct ClockFollower: Sendable {
    /// What became of a datagram.
    package enum Outcome: Sendable, Equatable {
        /// Completed an exchange that the estimate uses.
        case accepted
        /// Completed an exchange that was stalled and tells little.
        case gated
        /// A good reply that waits for its better stamp.
        case held
        /// Moved nothing.
        case ignored(IgnoreReason)
    }

    /// Why a datagram moved nothing.
    package enum IgnoreReason: Sendable, Equatable {
        /// Not a timing message.
        case malformed(ClockError)
        /// A request.
        case notReply
        /// Of another group clock.
        case wrongTimescale
        /// For another follower, or with another t1 than was sent.
        case wrongClient
        /// No request with this number waits for a reply: never sent, too late, or answered already.
        case unknownSequence
        /// Its stamps are in an impossible order, or a delay is negative or beyond two seconds.
        case impossibleTimes
        /// Further from the estimate than any delay explains.
        case farOff
    }

    /// The longest round trip, and the time after which a request counts as lost, nanoseconds.
    static let maximumRoundTrip: Int64 = 2_000_000_000
    /// The longest round trip of an answer whose word of the leader counts, nanoseconds.
    private static let promptness: Int64 = 500_000_000
    /// A request that is not answered in so many nanoseconds is followed by the next one, so that it soon shows whether
    /// the leader is gone or a packet was.
    private static let answerTimeout: Int64 = 80_000_000
    /// How soon the next exchange is to follow where the last ones contradict what is known, nanoseconds.
    private static let doubtfulInterval: Int64 = 100_000_000

    /// The group clock that is followed.
    package let timescale: TimescaleID
    let clientID: UInt64
    private let remembered: (drift: Double, sigma: Double)
    private let pollDivisor: Int64
    /// Whether nothing was known of the clock at the beginning.
    private let isFirstMeeting: Bool
    private var sequence: UInt32
    private var exchanges = ExchangeTable()
    private var estimator: ClockEstimator?
    private var schedule: PollSchedule
    private var counts = ClockStatistics()
    private var stamps = StampPath()
    private var repliesWithoutStamp = 0
    private var resetsSeen = 0
    private var lastNow: HostTime
    /// When the next request is due if the last one is answered.
    private var regularDeadline: HostTime
    /// When the first request went out that no valid reply has followed.
    private var firstUnanswered: HostTime?
    /// Requests in a row that no valid reply has followed, the newest included.
    package private(set) var unanswered = 0
    /// When `poll` has something to send.
    package private(set) var deadline: HostTime
    /// Where the leader's time comes from, as its newest reply says, and when that request was made.
    private(set) var (told, toldAt): (ClockDescent?, HostTime)
    /// Whether it says that the group goes by system clocks.
    private(set) var toldSystem = false
    /// Whether the newest reply came soon enough for its word of the leader to count. One that stood in a queue for
    /// longer shows that the parent is there, and is fitted for what it is worth; but when the leader spoke is known
    /// too badly from it.
    private(set) var isPrompt = false

    /// A follower that asks at once.
    ///
    /// - Parameters:
    ///   - seed: a random number; the client id and the first sequence number come of it.
    ///   - rememberedDriftPpm: drift against this leader's clock as last known and its standard deviation, in ppm.
    ///   - line: how the same timescale was known until now, from a leader before this one or before a pause. It is the
    ///     estimate until exchanges refine it, its uncertainty growing meanwhile; exchanges that agree with one another
    ///     but not with it put it aside. Left out when it is of another timescale.
    ///   - pollDivisor: how many times as seldom it asks and fits as it should for the best estimate.
    package init(
        timescale: TimescaleID, seed: UInt64, now: HostTime,
        rememberedDriftPpm: (value: Double, sigma: Double)? = nil, continuing line: ClockEstimate? = nil,
        pollDivisor: Int64 = 1
    ) {
        self.pollDivisor = max(pollDivisor, 1)
        schedule = PollSchedule(pollDivisor: pollDivisor)
        self.timescale = timescale
        clientID = SplitMix64.mixed(seed &+ 0x9E37_79B9_7F4A_7C15)
        sequence = UInt32(truncatingIfNeeded: SplitMix64.mixed(seed &+ 0x3C6E_F372_FE94_F82A))
        deadline = now
        regularDeadline = now
        lastNow = now
        (told, toldAt) = (nil, now)
        if let remembered = rememberedDriftPpm, abs(remembered.value) < 500, remembered.sigma.isFinite {
            self.remembered = (remembered.value * 1e-6, max(abs(remembered.sigma), 0.02) * 1e-6)
        } else {
            remembered = (0, ClockEstimator.unknownDriftSigma)
        }
        isFirstMeeting = line?.timescale != timescale
        if let line, line.timescale == timescale {
            estimator = ClockEstimator(continuing: line, now: now, pollDivisor: self.pollDivisor)
        }
    }

    // MARK: Sending

    /// The next request when it is due, and nil before that; sets `deadline`.
    ///
    /// `now` is taken as t1 until `sent` says better.
    ///
    /// - Parameters:
    ///   - descent: where the time of whoever asks comes from.
    ///   - usesSystemClock: whether that one, and all who ask it, go by their system clocks.
    ///   - isIdle: whether nothing is to be played.
    package mutating func poll(
        now: HostTime, descent: ClockDescent? = nil, usesSystemClock: Bool = false, isIdle: Bool = false
    ) -> [UInt8]? {
        lastNow = max(lastNow, now)
        guard now >= deadline, now.nanoseconds.magnitude < TimingMessage.maximumNanoseconds.magnitude else {
            return nil
        }
        sequence &+= 1
        exchanges.open(sequence, at: now)
        schedule.noteSent()
        counts.requests += 1
        unanswered += 1
        if firstUnanswered == nil { firstUnanswered = now }
        let sigma = estimate?.offsetSigma
        let interval = dithered(
            schedule.interval(
                offsetSigma: sigma, unanswered: unanswered, isIdle: isIdle,
                shortestTrip: isFirstMeeting ? estimator?.leastRoundTrip : nil))
        // From the deadline, so that lateness does not add up; from now after a pause.
        let regular = deadline.advanced(byNanoseconds: interval)
        regularDeadline = regular > now ? regular : now.advanced(byNanoseconds: interval)
        deadline = regularDeadline
        if unanswered < PollSchedule.mostUnanswered {
            deadline = min(deadline, now.advanced(byNanoseconds: dithered(Self.answerTimeout)))
        }
        var request = TimingMessage(
            requestOn: timescale, clientID: clientID, sequence: sequence, t1: now.nanoseconds)
        request.descent = descent
        request.usesSystemClock = usesSystemClock
        return request.encode()
    }

    /// An interval between four and six fifths of the regular one. Hosts that ask to a beat meet the same other
    /// packets, and the same busy processors, again and again; what these add to every delay looks like a moved clock.
    private func dithered(_ interval: Int64) -> Int64 {
        let chance = SplitMix64.mixed(clientID &+ UInt64(sequence)) >> 44
        return interval / 5 * 4 + ((interval / 5 * 2 * Int64(chance)) >> 20)
    }

    /// The last request went out: under which key the socket will report its stamp, and the time just before the send.
    package mutating func sent(key: UInt32, userTime: HostTime) {
        exchanges.sent(sequence, key: key, at: userTime)
    }

    /// The transmit stamp of the datagram with this key; keys of other datagrams are ignored.
    package mutating func transmitted(key: UInt32, at time: HostTime, stamp: StampKind = .kernel) {
        exchanges.transmitted(key: key, at: time, stamp: stamp)
    }

    // MARK: Receiving

    /// Takes a datagram that arrived at `arrival`, as `stamp` has it, read at `now`.
    package mutating func received(
        _ bytes: [UInt8], at arrival: HostTime, stamp: StampKind = .kernel, now: HostTime
    ) -> Outcome {
        lastNow = max(lastNow, now)
        let message: TimingMessage
        do { message = try TimingMessage(parsing: bytes) } catch { return ignore(.malformed(error)) }
        guard message.kind == .reply else { return ignore(.notReply) }
        guard message.timescale == timescale else { return ignore(.wrongTimescale) }
        guard message.clientID == clientID else { return ignore(.wrongClient) }
        if let reason = exchanges.answer(message, at: arrival, stamp: stamp, now: now) {
            return ignore(reason)
        }
        (told, toldSystem) = (message.descent, message.usesSystemClock)
        if let exchange = exchanges.lastAnswered {
            toldAt = HostTime(nanoseconds: exchange.echoedT1)
            isPrompt = exchange.roundTrip <= Self.promptness
        }
        (unanswered, firstUnanswered) = (0, nil)
        deadline = max(deadline, regularDeadline)
        repliesWithoutStamp = message.previousDistance > 0 ? 0 : min(repliesWithoutStamp + 1, 4)
        exchanges.improve(message)
        var outcome = Outcome.held
        // The newest reply waits for the next one; those before it have their best stamps now.
        for exchange in exchanges.takeAnswered(except: repliesWithoutStamp >= 4 ? nil : message.sequence) {
            outcome = finish(exchange, now: now)
        }
        return outcome
    }

    private mutating func ignore(_ reason: IgnoreReason) -> Outcome {
        counts.ignored += 1
        return .ignored(reason)
    }

    private mutating func finish(_ exchange: ExchangeTable.Exchange, now: HostTime) -> Outcome {
        let t1 = exchange.sentAt
        switch stamps.judge(exchange.hardware) {
        case .usual: break
        case .changed:
            // The new floors are learnt as quickly as those of a clock that is not known.
            estimator?.changeStamps()
            schedule.restart()
            ask(by: now.advanced(byNanoseconds: 10_000_000))
        case .unusual:
            counts.unusualStamps += 1
            return .gated
        }
        if estimator == nil {
            estimator = ClockEstimator(
                host: t1, offset: Nanoseconds.subtract(exchange.t2, t1), drift: remembered.drift,
                driftSigma: remembered.sigma, pollDivisor: pollDivisor)
        }
        guard let verdict = estimator?.take(t1: t1, t2: exchange.t2, t3: exchange.t3, t4: exchange.receivedAt) else {
            return .held
        }
        (counts.forwardStamps, counts.returnStamps) = (exchange.forwardStamps, exchange.returnStamps)
        noteResets(now: now)
        if estimator?.isInDoubt == true { ask(by: now.advanced(byNanoseconds: Self.doubtfulInterval)) }
        switch verdict {
        case .used:
            counts.accepted += 1
            return .accepted
        case .gated:
            counts.gated += 1
            return .gated
        case .farOff:
            // A lie or a stepped clock: which of them, the next few exchanges tell, so they are not long in coming.
            ask(by: now.advanced(byNanoseconds: Self.doubtfulInterval))
            return ignore(.farOff)
        }
    }

    /// A changed clock is measured anew with a burst.
    private mutating func noteResets(now: HostTime) {
        let resets = estimator?.resets ?? 0
        guard resets > resetsSeen else { return }
        resetsSeen = resets
        schedule.restart()
        ask(by: now.advanced(byNanoseconds: 10_000_000))
    }

    /// Asks by this time at the latest.
    mutating func ask(by time: HostTime) {
        regularDeadline = min(regularDeadline, time)
        deadline = min(deadline, time)
    }

    // MARK: Results

    /// Nanoseconds since the first of the requests that no valid reply has followed; 0 when there is none.
    package func timeWithoutAnswer(now: HostTime) -> Int64 {
        firstUnanswered.map { max(now.nanoseconds(since: $0), 0) } ?? 0
    }

    /// The best line now; nil before eight exchanges, unless it continues an older line. Each exchange may move it by a
    /// step.
    package var estimate: ClockEstimate? { estimator?.estimate(timescale: timescale) }

    /// Quality and counters as of the last call.
    package var statistics: ClockStatistics {
        var statistics = counts
        statistics.resets = estimator?.resets ?? 0
        statistics.rttUs = estimator?.leastRoundTrip.map { $0 / 1000 }
        if let estimate {
            statistics.sigmaUs = estimate.sigma(atHostNanoseconds: lastNow.nanoseconds) / 1000
            statistics.driftPpm = estimate.drift * 1e6
            statistics.driftSigmaPpm = estimate.driftSigma * 1e6
        }
        return statistics
    }
}
