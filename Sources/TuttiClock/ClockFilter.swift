/// The two-state filter over midpoints of exchanges: offset and drift with their covariance.
struct ClockFilter: Sendable {
    /// How fast an oscillator's rate wanders: 2e-5 ppm² a second, as ratio² a nanosecond.
    static let wander = 2e-5 * 1e-12 / 1e9
    /// A normalised innovation squared above this is a surprise (three standard deviations).
    static let surprise = 9.0
    /// So many surprises in a row mean that the clocks changed.
    static let surprisesToReset = 5

    private(set) var state: LineState
    private var surprises = 0

    /// Starts at the best of the first samples.
    init(x: Double, offset: Double, variance: Double, drift: Double, driftVariance: Double) {
        state = LineState(
            x: x, value: offset, slope: drift, valueVariance: variance, covariance: 0, slopeVariance: driftVariance)
    }

    /// Takes a midpoint with variance `variance`; true when the last five were all surprises and the filter opened up.
    mutating func update(x: Double, offset: Double, variance: Double) -> Bool {
        var next = state.moved(to: x, wander: Self.wander)
        let innovation = offset - next.value
        let total = next.valueVariance + variance
        let isSurprise = innovation * innovation > Self.surprise * total
        surprises = isSurprise ? surprises + 1 : 0
        let hasChanged = surprises >= Self.surprisesToReset
        if hasChanged {
            surprises = 0
            next.valueVariance *= 16
            next.covariance *= 16
            next.slopeVariance *= 16
        }
        state = next.updated(innovation: innovation, variance: variance)
        return hasChanged
    }
}

extension LineState {
    /// The state after an observation of the value that differs from it by `innovation`.
    func updated(innovation: Double, variance: Double) -> LineState {
        let total = valueVariance + variance
        let gain = valueVariance / total
        let slopeGain = covariance / total
        var next = self
        next.value += gain * innovation
        next.slope += slopeGain * innovation
        next.valueVariance = max(valueVariance * (1 - gain), 1e-6)
        next.slopeVariance = max(slopeVariance - slopeGain * covariance, 1e-24)
        next.covariance = covariance * (1 - gain)
        return next
    }
}
