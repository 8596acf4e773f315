import TuttiCore

/// Turns finished exchanges into one line between host and group clock.
///
/// Two estimators run side by side on the same exchanges: `ClockFilter` (midpoints of the fastest exchanges, two states)
/// and `EnvelopeFit` (both directions' lower envelopes over the last minute). The envelopes are the better ones wherever
/// delays scatter; the filter follows a wandering oscillator more closely and notices real changes. What is published
/// weighs each by the inverse of its variance.
struct ClockEstimator: Sendable {
    /// Exchanges before the first estimate.
    static let samplesToStart = 8
    /// Impossible exchanges in a row, agreeing with one another, that mean a stepped clock.
    static let stepsToRestart = 5
    /// The drift's standard deviation when nothing is remembered: ordinary crystals, generously.
    static let unknownDriftSigma = 60e-6

    /// What became of an exchange.
    enum Verdict: Equatable {
        case used
        /// The filter left it out; the envelopes saw it.
        case gated
        /// Contradicts the estimate by more than its own round trip allows.
        case farOff
    }

    private let anchorHost: Int64
    private let anchorOffset: Int64
    private var filter: ClockFilter?
    private var envelope = EnvelopeFit()
    private var prior: LineState
    private var snapshots: [LineState] = []
    private var roundTrips: [Double] = []
    private var starting: [ClockSample] = []
    private var impossible: [ClockSample] = []
    /// The published line relative to the anchors.
    private(set) var state: LineState?
    /// The line of the envelopes alone.
    private(set) var envelopeState: LineState?
    /// How often the filter opened up or everything started anew.
    private(set) var resets = 0
    /// How many exchanges passed the gate.
    private(set) var passed = 0

    /// An estimator for exchanges near `host`, where the group clock is about `offset` ahead.
    init(host: Int64, offset: Int64, drift: Double, driftSigma: Double) {
        anchorHost = host
        anchorOffset = offset
        prior = LineState(
            x: 0, value: 0, slope: drift, valueVariance: 0, covariance: 0, slopeVariance: driftSigma * driftSigma)
    }

    /// An estimator that knows a line already; nil when the line makes no sense.
    init?(continuing line: ClockEstimate, now: HostTime) {
        let here = line.moved(to: now)
        guard here.offsetSigma.isFinite, here.driftSigma.isFinite, abs(here.drift) < 1e-3 else { return nil }
        self.init(
            host: now.nanoseconds, offset: here.offset, drift: here.drift, driftSigma: max(here.driftSigma, 2e-9))
        let known = LineState(
            x: Double(Nanoseconds.subtract(line.referenceHostNanoseconds, now.nanoseconds)), value: 0,
            slope: line.drift,
            valueVariance: line.offsetSigma * line.offsetSigma, covariance: 0,
            slopeVariance: line.driftSigma * line.driftSigma
        ).moved(to: 0, wander: ClockFilter.wander)
        prior.slopeVariance = known.slopeVariance
        filter = ClockFilter(
            x: 0, offset: here.offsetFraction, variance: known.valueVariance, drift: here.drift,
            driftVariance: known.slopeVariance)
        state = filter?.state
    }

    /// The line of the filter alone.
    var filterState: LineState? { filter?.state }
    /// The fastest round trip of the last minute, nanoseconds.
    var leastRoundTrip: Double? { envelope.count > 0 ? envelope.leastRoundTrip : nil }

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

    // MARK: Steps

    /// Whether no pair of delays explains the exchange, given what is known.
    private func isImpossible(_ sample: ClockSample) -> Bool {
        guard let state else { return false }
        let expected = state.moved(to: sample.middle, wander: ClockFilter.wander)
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
        // A stepped clock keeps its crystal: the drift stays, less certain than it was.
        if let state {
            prior = state
            prior.slopeVariance += 1e-12
        }
        resets += 1
        filter = nil
        envelope.removeAll()
        snapshots.removeAll()
        roundTrips.removeAll()
        starting.removeAll()
        let agreed = impossible
        impossible.removeAll()
        for sample in agreed { _ = use(sample) }
    }

    // MARK: Estimation

    private mutating func use(_ sample: ClockSample) -> Verdict {
        guard envelope.append(sample) else { return .gated }
        roundTrips.append(sample.roundTrip)
        if roundTrips.count > 8 { roundTrips.removeFirst() }
        let isFast = roundTrips.count { $0 < sample.roundTrip } < 3
        if filter == nil {
            starting.append(sample)
            // After a restart five agreeing exchanges are known already; an old line is worse than a new one.
            let needed = resets > 0 ? Self.stepsToRestart : Self.samplesToStart
            guard starting.count >= needed else { return .used }
            start()
        } else if isFast {
            update(with: sample)
        }
        if isFast { passed += 1 }
        publish(at: sample.middle)
        return isFast ? .used : .gated
    }

    /// Starts the filter at the fastest of the first exchanges.
    private mutating func start() {
        let sorted = starting.sorted { $0.roundTrip < $1.roundTrip }
        starting.removeAll()
        guard let best = sorted.first else { return }
        let spread = 0.5 * (sorted[sorted.count / 2].roundTrip - best.roundTrip) + 0.02 * best.roundTrip + 500
        filter = ClockFilter(
            x: best.middle, offset: best.offset, variance: spread * spread, drift: prior.slope,
            driftVariance: prior.slopeVariance)
    }

    private mutating func update(with sample: ClockSample) {
        let excess = 0.5 * (sample.roundTrip - envelope.leastRoundTrip)
        let floor = 0.05 * envelope.typicalExcess + 500
        let hasChanged = filter?.update(
            x: sample.middle, offset: sample.offset, variance: excess * excess + floor * floor)
        guard hasChanged == true else { return }
        resets += 1
        envelope.removeAll()
        snapshots.removeAll()
        if let state {
            prior = state
            prior.slopeVariance += 1e-12
        }
        _ = envelope.append(sample)
    }

    private mutating func publish(at x: Double) {
        guard let filtered = filter?.state.moved(to: x, wander: ClockFilter.wander) else { return }
        let before = priorForEnvelope(at: x)
        envelopeState = envelope.fit(at: x, priorSlope: before.slope, priorVariance: before.slopeVariance)
        state = envelopeState.map { $0.blended(with: filtered) } ?? filtered
        if let fitted = envelopeState, x - (snapshots.last?.x ?? -.infinity) > 15e9 {
            snapshots.append(fitted)
            if snapshots.count > 8 { snapshots.removeFirst() }
        }
    }

    /// What was known of the drift before the oldest exchange that the envelopes still hold.
    private func priorForEnvelope(at x: Double) -> LineState {
        var known = prior
        for snapshot in snapshots where snapshot.x <= envelope.oldest { known = snapshot }
        known.slopeVariance += ClockFilter.wander * abs(x - known.x) + 4e-16
        return known
    }
}

extension LineState {
    /// The mean of two lines at the same x, each weighed by the inverse of its variance.
    fileprivate func blended(with other: LineState) -> LineState {
        let share = other.valueVariance / (valueVariance + other.valueVariance)
        let slopeShare = other.slopeVariance / (slopeVariance + other.slopeVariance)
        var mean = self
        mean.value = share * value + (1 - share) * other.value
        mean.slope = slopeShare * slope + (1 - slopeShare) * other.slope
        // Both saw the same exchanges, so the mean is hardly surer than the surer one.
        mean.valueVariance = min(valueVariance, other.valueVariance)
        mean.slopeVariance = min(slopeVariance, other.slopeVariance)
        return mean
    }
}
