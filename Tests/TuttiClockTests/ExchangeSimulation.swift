import TuttiClock
import TuttiCore

/// A follower and a leader on virtual hosts, joined by a virtual link, in true time.
struct ExchangeSimulation {
    static let timescale = TimescaleID(rawValue: 0xC0FFEE)
    static let epochOffset: Int64 = 1_700_000_000_000_000_000

    var generator: SeededGenerator
    var follower: ClockFollower
    var responder: TimingResponder
    var host: VirtualOscillator
    var link: VirtualLink
    /// What the leader's clock was stepped by.
    var leaderStep: Int64 = 0
    /// What the follower's host clock was stepped by.
    var hostStep: Int64 = 0
    var isLeaderPresent = true
    var hasKernelStamps = true
    /// What stamps each end's datagrams, where anything does: the kernel, or the network interface.
    var (hostStamps, leaderStamps) = (StampKind.kernel, StampKind.kernel)
    /// How long a datagram takes from the kernel's stamp to the wire, and from the wire to the kernel's stamp, and the
    /// mean of what interrupts add to the latter.
    var driver = (send: 0.0, receive: 0.0, interrupt: 0.0)
    /// Standard deviation of each stamp of a network interface, nanoseconds, its clock's conversion included.
    var hardwareNoise = 150.0
    /// How many of the leader's departures have no stamp of its network interface.
    var missing = 0.0
    /// Standard deviation of each kernel stamp, nanoseconds.
    var stampNoise = 700.0
    /// By how much the leader's stamps of arrival are too early.
    var stampError = 0.0
    /// For how long what is sent to the follower at a true time stands in a queue.
    var queue: (_ time: Double) -> Double = { _ in 0 }
    private(set) var outcomes: [ClockFollower.Outcome] = []
    private(set) var lastReply: [UInt8] = []
    /// The last reply that the follower was given.
    private(set) var lastReceived: [UInt8] = []
    private(set) var firstEstimateAt: Double?
    private var inFlight: [(time: Double, bytes: [UInt8])] = []
    private var key: UInt32 = .max - 20
    private let leaderOffset: Int64 = 77_000_000_123

    init(
        _ profile: NetworkProfile, ppm: Double, seed: UInt64, seconds: Int, wander: Double = 2e-5,
        ppmPerMinute: Double = 0, turn: (second: Int, ppm: Double)? = nil,
        remembered: (value: Double, sigma: Double)? = nil
    ) {
        generator = SeededGenerator(seed)
        host = VirtualOscillator(
            offset: 3_500_000_000_000, ppm: ppm, wander: wander, ppmPerMinute: ppmPerMinute, seconds: seconds,
            turn: turn, generator: &generator)
        link = VirtualLink(profile, generator: &generator)
        responder = TimingResponder(timescale: Self.timescale, epochOffset: Self.epochOffset)
        follower = ClockFollower(
            timescale: Self.timescale, seed: seed, now: HostTime(nanoseconds: host.reading(at: 0).whole),
            rememberedDriftPpm: remembered)
    }

    /// Lets the follower begin at true time `time`, with a line that was right at 0 within the given deviations.
    mutating func continueLine(after time: Double, offsetSigma: Double, driftSigma: Double, offsetError: Int64 = 0) {
        let reading = host.reading(at: 0)
        let truth = groupTime(0).whole
        let drift = 1 / (1 + host.rate(at: 0)) - 1
        let line = ClockEstimate(
            timescale: Self.timescale, referenceHost: HostTime(nanoseconds: reading.whole),
            offset: truth - reading.whole + offsetError + Int64(generator.gaussian(sigma: offsetSigma)),
            drift: drift
                + generator.gaussian(sigma: driftSigma), offsetSigma: offsetSigma, driftSigma: driftSigma)
        follower = ClockFollower(
            timescale: Self.timescale, seed: generator.next(), now: hostTime(time), continuing: line)
    }

    /// Runs until true time `end`.
    mutating func run(until end: Double) {
        while true {
            let due = host.trueTime(of: follower.deadline.nanoseconds - hostStep)
            let arrival = inFlight.first?.time ?? .infinity
            guard min(due, arrival) < end else { return }
            if due <= arrival {
                poll(at: max(due, 0) + generator.exponential(mean: 30_000))
            } else {
                let reply = inFlight.removeFirst()
                deliver(reply.bytes, at: reply.time)
            }
        }
    }

    /// Gives the follower a datagram that arrives at true time `time`.
    mutating func deliver(_ bytes: [UInt8], at time: Double) {
        lastReceived = bytes
        let now = time + 20_000 + generator.exponential(mean: 20_000)
        let outcome = follower.received(
            bytes, at: hostTime(arrivalStamp(time, by: hostStamps, read: now)),
            stamp: hasKernelStamps ? hostStamps : .user, now: hostTime(now))
        outcomes.append(outcome)
        if firstEstimateAt == nil, follower.estimate != nil { firstEstimateAt = now }
    }

    private mutating func poll(at time: Double) {
        guard let request = follower.poll(now: hostTime(time)) else { return }
        let sentAt = time + 5_000
        key &+= 1
        follower.sent(key: key, userTime: hostTime(sentAt))
        let left = sentAt + 8_000 + generator.exponential(mean: 5_000)
        if hasKernelStamps {
            follower.transmitted(key: key, at: hostTime(departureStamp(left, by: hostStamps)), stamp: hostStamps)
        }
        guard let arrival = link.arrival(of: left, back: false, generator: &generator), isLeaderPresent else { return }
        let reading = arrival + 20_000 + generator.exponential(mean: 20_000)
        guard
            let reply = responder.received(
                request, from: 1, at: leaderTime(arrivalStamp(arrival, by: leaderStamps, read: reading) - stampError),
                stamp: leaderStamps, now: leaderTime(reading))
        else { return }
        responder.sent(token: reply.token, key: key)
        let answered = reading + 10_000 + generator.exponential(mean: 5_000)
        let isMissing = missing > 0 && leaderStamps == .hardware && generator.uniform() < missing
        if hasKernelStamps, !isMissing {
            let stamp = departureStamp(answered, by: leaderStamps)
            responder.transmitted(key: key, at: leaderTime(stamp), stamp: leaderStamps)
        }
        lastReply = reply.bytes
        let released = answered + queue(answered)
        guard let back = link.arrival(of: released, back: true, generator: &generator) else { return }
        inFlight.append((back, reply.bytes))
    }

    private mutating func departureStamp(_ time: Double, by kind: StampKind) -> Double {
        if kind == .hardware { return time + generator.gaussian(sigma: hardwareNoise) }
        return time - driver.send + noise()
    }

    private mutating func arrivalStamp(_ time: Double, by kind: StampKind, read: Double) -> Double {
        guard hasKernelStamps else { return read }
        if kind == .hardware { return time + generator.gaussian(sigma: hardwareNoise) }
        guard driver.receive > 0 else { return time + noise() }
        return min(time + driver.receive + generator.exponential(mean: driver.interrupt), read) + noise()
    }

    private mutating func noise() -> Double { stampNoise > 0 ? generator.gaussian(sigma: stampNoise) : 0 }

    func hostTime(_ time: Double) -> HostTime { HostTime(nanoseconds: host.reading(at: time).whole + hostStep) }

    func leaderTime(_ time: Double) -> HostTime {
        HostTime(nanoseconds: Int64(time) + leaderOffset + leaderStep)
    }

    /// Group time at true time `time`, whole nanoseconds and fraction.
    func groupTime(_ time: Double) -> (whole: Int64, fraction: Double) {
        let floor = time.rounded(.down)
        return (
            Int64(floor) + leaderOffset + leaderStep + Self.epochOffset, time - floor
        )
    }

    /// Estimated minus true group time at true time `time`, nanoseconds.
    func error(of estimate: ClockEstimate?, at time: Double) -> Double? {
        guard let estimate else { return nil }
        let reading = host.reading(at: time)
        let truth = groupTime(time)
        return estimate.groupNanoseconds(
            atHostNanoseconds: reading.whole + hostStep, fraction: reading.fraction, since: truth.whole)
            - truth.fraction
    }

    func error(at time: Double) -> Double? { error(of: follower.estimate, at: time) }
}

/// The value below which a share of the numbers lies.
func percentile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.last else { return .nan }
    let index = Int(Double(sorted.count) * share)
    return index < sorted.count ? sorted[index] : last
}
