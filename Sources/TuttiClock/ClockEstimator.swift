import TuttiCore

/// Turns finished exchanges into one line between host and group clock.
///
/// Several `LineTracker`s follow the same exchanges: a calm one for rates that hardly wander, which remembers long, and
/// livelier ones for rates that change (a host that warms up), which forget sooner. Each exchange is first predicted by
/// all of them; whoever predicts better weighs more in what is published.
struct ClockEstimator: Sendable {
    /// Exchanges before the first estimate.
    static let samplesToStart = 8
    /// Impossible exchanges in a row, agreeing with one another, that mean a stepped clock.
    static let stepsToRestart = 5
    /// The drift's standard deviation when nothing is remembered: ordinary crystals, generously.
    static let unknownDriftSigma = 60e-6
    /// How fast an oscillator's rate wanders: 2e-5 ppm² a second, as ratio² a nanosecond.
    static let wander = 2e-5 * 1e-12 / 1e9
    /// What a tracker takes the clock for.
    enum Character {
        /// Its rate wanders.
        case wandering
        /// So it does, and what no path explains is a jump of the rate.
        case stepping
        /// Its rate may be any other in seconds. Behind cables jumps show sooner, and where queues are of many
        /// milliseconds they cannot be told from queues: it counts only in between.
        case fast
    }

    /// How much faster the oscillator of each tracker wanders than that, and the logarithm of the odds that it does:
    /// oscillators are calm unless they show that they are not.
    static let kinds: [(wander: Double, odds: Double, character: Character)] = [
        (1, 0, .wandering), (30, -1.5, .wandering), (600, -2, .stepping), (1e5, -14, .fast),
    ]
    /// No delays are quite as the model has them: true variances are larger by so much. Over cables, where delays
    /// scatter little, what the model leaves out (the stamps' own errors above all) weighs most.
    static let caution = (wired: 1.5, wireless: 1.0)
    /// Which share of the squared distance between the trackers is uncertainty. Those that are as far behind as can be
    /// do not count, and the fast one only when it is the best.
    static let doubt = 0.15
    /// By how much the offset may seem another one when stamps are of another kind, a standard deviation, nanoseconds.
    static let stampAsymmetry = 20e3
    /// The variance of an offset of which nothing is known, ns².
    static let unknown = 1e18

    /// What became of an exchange.
    enum Verdict: Equatable {
        case used
        /// Slower than what tells the estimate something.
        case gated
        /// Contradicts the estimate by more than its own round trip allows.
        case farOff
    }

    private let anchorHost: Int64
    private let anchorOffset: Int64
    private var trackers: [LineTracker] = []
    private var scores = TrackerScores(odds: Self.kinds.map(\.odds))
    private var schedule: FitSchedule
    private var impossible: [ClockSample] = []
    private var lastMiddle = 0.0
    private var roundTrips = RoundTrips()
    /// Whether the fast tracker counts.
    private var countsFast = false
    /// Whether the rate known at the start is right, while that is open.
    private var doubt: RateDoubt?
    /// What was known at the start.
    private var origin: KnownLine?
    /// The published line relative to the anchors.
    private(set) var state: LineState?
    /// How often everything started anew.
    private(set) var resets = 0

    /// An estimator for exchanges near `host`, where the group clock is about `offset` ahead.
    ///
    /// - Parameter pollDivisor: how many times as seldom exchanges come as they should for the best estimate.
    init(host: Int64, offset: Int64, drift: Double, driftSigma: Double, pollDivisor: Int64 = 1) {
        schedule = FitSchedule(pollDivisor: pollDivisor)
        anchorHost = host
        anchorOffset = offset
        start(
            at: LineState(
                x: 0, value: 0, slope: drift, valueVariance: Self.unknown, covariance: 0,
                slopeVariance: driftSigma * driftSigma))
    }

    /// An estimator that knows a line already; nil when the line makes no sense.
    init?(continuing line: ClockEstimate, now: HostTime, pollDivisor: Int64 = 1) {
        let here = line.moved(to: now)
        let age = Double(max(Nanoseconds.subtract(now.nanoseconds, line.referenceHostNanoseconds), 0))
        guard here.offsetSigma.isFinite, here.driftSigma.isFinite, abs(here.drift) < 1e-3 else { return nil }
        self.init(
            host: now.nanoseconds, offset: here.offset, drift: here.drift, driftSigma: 0, pollDivisor: pollDivisor)
        var known = LineState(
            x: Double(Nanoseconds.subtract(line.referenceHostNanoseconds, now.nanoseconds)), value: 0,
            slope: line.drift,
            valueVariance: line.offsetSigma * line.offsetSigma, covariance: 0,
            slopeVariance: max(line.driftSigma * line.driftSigma, 1e-18)
        ).moved(to: 0, wander: Self.wander)
        known.value = here.offsetFraction
        start(at: known, age: age)
        state = known
        origin = KnownLine(line: known, age: age)
    }

    /// The fastest round trip of the last exchanges, nanoseconds.
    var leastRoundTrip: Double? { roundTrips.least }

    /// - Parameter age: how old what is known is, nanoseconds; of no account where the offset is not known.
    private mutating func start(at prior: LineState, age: Double = 0, isRestart: Bool = false) {
        trackers = Self.kinds.map { kind in
            var prior = prior
            if kind.character == .stepping, isRestart {
                prior.slopeVariance += Self.unknownDriftSigma * Self.unknownDriftSigma
            }
            return LineTracker(wander: kind.wander * Self.wander, prior: prior, isOpen: kind.character == .stepping)
        }
        scores.forget()
        doubt = RateDoubt(of: prior, age: age)
        roundTrips.forget()
        schedule.restart()
    }

    /// Takes a finished exchange; all times in nanoseconds, t1 and t4 of the host, t2 and t3 of the group.
    mutating func take(t1: Int64, t2: Int64, t3: Int64, t4: Int64) -> Verdict {
        let sample = ClockSample(
            sentAt: Double(Nanoseconds.subtract(t1, anchorHost)),
            receivedAt: Double(Nanoseconds.subtract(t4, anchorHost)),
            forward: Double(Nanoseconds.subtract(Nanoseconds.subtract(t2, t1), anchorOffset)),
            backward: Double(Nanoseconds.add(Nanoseconds.subtract(t4, t3), anchorOffset)))
        if isImpossible(sample) {
            noteImpossible(sample)
            return .farOff
        }
        impossible.removeAll(keepingCapacity: true)
        return use(sample)
    }

    /// The published line, or nil before enough exchanges.
    func estimate(timescale: TimescaleID) -> ClockEstimate? {
        guard let state else { return nil }
        let reference = Nanoseconds.add(anchorHost, Nanoseconds.rounded(state.x))
        let whole = Nanoseconds.rounded(state.value)
        return ClockEstimate(
            timescale: timescale, referenceHost: HostTime(nanoseconds: reference),
            offset: Nanoseconds.add(anchorOffset, whole), offsetFraction: state.value - Double(whole),
            drift: state.slope, offsetSigma: state.valueVariance.squareRoot(),
            driftSigma: state.slopeVariance.squareRoot())
    }

    /// Whether the last exchanges contradict even the liveliest line: more of them will soon tell whether the clock has
    /// changed.
    var isInDoubt: Bool { trackers.indices.allSatisfy { !counts($0) || trackers[$0].isInDoubt } }

    // MARK: Steps

    /// Whether no pair of delays explains the exchange, given what is known.
    private func isImpossible(_ sample: ClockSample) -> Bool {
        guard let state else { return false }
        let expected = state.moved(to: sample.middle, wander: Self.wander)
        let reach = sample.roundTrip / 2 + 6 * expected.valueVariance.squareRoot() + 20_000
        return abs(sample.offset - expected.value) > reach
    }

    private mutating func noteImpossible(_ sample: ClockSample) {
        if let last = impossible.last, abs(last.offset - sample.offset) > (last.roundTrip + sample.roundTrip) / 2 + 1e5
        {
            impossible.removeAll(keepingCapacity: true)
        }
        impossible.append(sample)
        guard impossible.count >= Self.stepsToRestart else { return }
        let agreed = impossible
        impossible.removeAll()
        restart()
        for sample in agreed { _ = use(sample) }
    }

    /// A stepped clock keeps its crystal: the drift stays, less certain than it was.
    private mutating func restart() {
        resets += 1
        let x = state?.x ?? 0
        origin = nil
        defer { state = nil }
        start(
            at: LineState(
                x: x, value: state?.value ?? 0, slope: state?.slope ?? 0, valueVariance: Self.unknown, covariance: 0,
                slopeVariance: (state?.slopeVariance ?? 0) + 1e-12), isRestart: true)
    }

    /// The stamps are of another kind from now on, and the delays' floors with them. What the exchanges before told is
    /// what was known of the line: its slope holds, and its offset may seem another one by half of what the kinds
    /// differ in one direction more than in the other.
    mutating func changeStamps() {
        for index in trackers.indices {
            trackers[index].changeFloors(by: Self.stampAsymmetry, at: lastMiddle)
        }
        impossible.removeAll()
        roundTrips.forget()
        (origin, doubt) = (nil, nil)
        scores.forget()
    }

    // MARK: Estimation

    private mutating func use(_ sample: ClockSample) -> Verdict {
        roundTrips.take(sample.roundTrip, at: sample.middle)
        countsFast = roundTrips.areTelling && !roundTrips.isWired
        let elapsed = max(sample.middle - lastMiddle, 0)
        lastMiddle = max(lastMiddle, sample.middle)
        var isTelling = true
        doubt?.take(sample)
        for index in trackers.indices {
            // One that has no line predicts nothing.
            let isSilent = Self.kinds[index].character == .fast && trackers[index].state == nil
            let news = trackers[index].take(sample)
            scores.add(counts(index) && !isSilent ? news.score : nil, of: index, elapsed: elapsed)
            isTelling = news.isTelling && isTelling
        }
        let leader = scores.settle()
        let hasTurned = leader.map { Self.kinds[$0].character != .wandering } ?? false
        if hasTurned || trackers.contains(where: { $0.isOpen && $0.isRefuted }) { schedule.unsettle(at: sample.middle) }
        reviveHopeless(at: sample.middle)
        let needed = state != nil ? 0 : resets > 0 ? Self.stepsToRestart : Self.samplesToStart
        let step = schedule.take(
            sentAt: sample.sentAt, receivedAt: sample.receivedAt, middle: sample.middle, needed: needed)
        if step == .fit { publish(at: sample.middle) }
        return isTelling || step == .collect ? .used : .gated
    }

    private func counts(_ index: Int) -> Bool {
        Self.kinds[index].character != .fast || countsFast
    }

    /// Trackers that have been wrong for long restart from the fit of the one that is right.
    private mutating func reviveHopeless(at x: Double) {
        let best = scores.best
        guard trackers[best].state != nil else { return }
        for index in scores.takeHopeless(at: x) { trackers[index].goOn(from: trackers[best]) }
    }

    /// Weighs what was known at the start against the exchanges; all go by these alone once the rate has turned out
    /// another one.
    private mutating func settleDoubt(at x: Double) {
        doubt?.update(at: x, quick: roundTrips.limit)
        guard let doubt, doubt.isConfirmed || doubt.isOver else { return }
        if doubt.isConfirmed {
            for index in trackers.indices { trackers[index].goOn(as: doubt.nullTracker) }
            scores.forget()
        }
        self.doubt = nil
    }

    private mutating func publish(at x: Double) {
        settleDoubt(at: x)
        var mean: LineState?
        var total = 0.0
        var values: (least: Double, most: Double) = (.infinity, -.infinity)
        for index in trackers.indices where counts(index) {
            trackers[index].update(at: x, quick: roundTrips.limit)
            guard let line = trackers[index].state else { continue }
            if scores[index] > TrackerScores.least, Self.kinds[index].character != .fast || scores[index] == 0 {
                values = (min(values.least, line.value), max(values.most, line.value))
            }
            let weight = Exponential.ofNegative(-scores[index])
            total += weight
            mean = mean.map { line.mixed(with: $0, share: weight / total) } ?? line
        }
        if let (line, share) = doubt?.objection { mean = mean?.mixed(with: line, share: 1 - share) }
        let caution = roundTrips.isWired ? Self.caution.wired : Self.caution.wireless
        mean?.valueVariance *= caution
        mean?.slopeVariance *= caution
        // Where the trackers disagree, none is as sure as it thinks.
        if values.most > values.least {
            mean?.valueVariance += Self.doubt * (values.most - values.least) * (values.most - values.least)
        }
        if let origin, let mean, let held = origin.held(against: mean) { return state = held }
        state = mean ?? state
    }
}

extension LineState {
    /// The mean of two lines at the same x of which this one is right with probability `share`.
    fileprivate func mixed(with other: LineState, share: Double) -> LineState {
        let rest = 1 - share
        let gap = value - other.value
        let tilt = slope - other.slope
        var mean = self
        mean.value = share * value + rest * other.value
        mean.slope = share * slope + rest * other.slope
        mean.valueVariance = share * valueVariance + rest * other.valueVariance + share * rest * gap * gap
        mean.covariance = share * covariance + rest * other.covariance + share * rest * gap * tilt
        mean.slopeVariance = share * slopeVariance + rest * other.slopeVariance + share * rest * tilt * tilt
        return mean
    }
}
