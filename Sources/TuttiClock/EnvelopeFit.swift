/// Fits the lower envelopes of both directions' delays with one common slope.
///
/// Queueing only ever adds delay, so each direction's fastest exchanges lie on a line: offset plus least delay one way,
/// least delay minus offset the other way. For delays that exceed the least one by an exponential amount, the likelihood
/// of a slope is exp((n / λ) · (height of both envelopes)); with a prior for the slope it is summed numerically here,
/// which gives the mean and an honest covariance from the first exchanges on. A stalled exchange touches no envelope.
///
/// A constant difference between the least delays of the two directions cannot be seen: half of it is error.
struct EnvelopeFit: Sendable {
    /// Nanoseconds of history that a fit uses, and how much more is kept before the hulls are built anew.
    static let window = 60e9
    static let slack = 15e9
    /// Exchanges kept at most.
    static let capacity = 768
    /// The largest slope considered, a plain ratio: 600 ppm.
    static let maximumSlope = 600e-6
    /// Stamps are no better than this, nanoseconds, however still the network is.
    static let leastExcess = 300.0

    private var samples: [ClockSample] = []
    private var forward = HullChain(isLower: true)
    private var backward = HullChain(isLower: true)
    private var sumOfMiddles = 0.0
    private var excess = (forward: 100_000.0, backward: 100_000.0)
    private var countAtExcess = 0
    /// The last fit and the heights of its envelopes, against which the next exchange is checked.
    private var fitted: (line: LineState, center: Double, ahead: Double, back: Double)?
    private var suspects = 0
    /// The fastest exchange's round trip, nanoseconds.
    private(set) var leastRoundTrip = Double.infinity

    /// The median round trip's excess over the least one: that of a sum of two exponential delays.
    var typicalExcess: Double { 0.84 * (excess.forward + excess.backward) }
    /// Host time of the oldest exchange.
    var oldest: Double { samples.first?.middle ?? 0 }
    var count: Int { samples.count }
    /// Nanoseconds from the oldest to the newest exchange.
    var span: Double { (samples.last?.middle ?? 0) - (samples.first?.middle ?? 0) }

    /// Takes an exchange; false when it is left out, for it undercuts an envelope by more than chance does.
    ///
    /// A stamp that is wrong on the early side would hold an envelope down for a minute. Four in a row are a path that
    /// became faster, or a rate that changed, and count.
    mutating func append(_ sample: ClockSample) -> Bool {
        suspects = undercuts(sample) ? suspects + 1 : 0
        if (1...3).contains(suspects) { return false }
        samples.append(sample)
        if samples.count > Self.capacity || span > Self.window + Self.slack {
            let oldest = sample.middle - Self.window
            samples.removeAll { $0.middle < oldest }
            if samples.count > Self.capacity { samples.removeFirst(samples.count - Self.capacity * 3 / 4) }
            rebuild()
        } else {
            take(sample)
        }
        return true
    }

    private func undercuts(_ sample: ClockSample) -> Bool {
        guard let fitted, samples.count >= 60 else { return false }
        let slope = fitted.line.slope
        let there = sample.forward - slope * (sample.sentAt - fitted.center) - fitted.ahead
        let here = sample.backward + slope * (sample.receivedAt - fitted.center) - fitted.back
        let sigma = fitted.line.moved(to: sample.middle, wander: ClockFilter.wander).valueVariance.squareRoot()
        let chance = 10 * max(excess.forward, excess.backward) / Double(samples.count)
        return min(there, here) < -(2_000 + chance + 6 * sigma)
    }

    mutating func removeAll() {
        samples.removeAll(keepingCapacity: true)
        fitted = nil
        suspects = 0
        rebuild()
    }

    private mutating func rebuild() {
        forward.removeAll()
        backward.removeAll()
        sumOfMiddles = 0
        countAtExcess = 0
        leastRoundTrip = .infinity
        for sample in samples { take(sample) }
    }

    private mutating func take(_ sample: ClockSample) {
        forward.append(x: sample.sentAt, y: sample.forward)
        backward.append(x: sample.receivedAt, y: sample.backward)
        sumOfMiddles += sample.middle
        leastRoundTrip = min(leastRoundTrip, sample.roundTrip)
    }

    /// The offset and drift at host time `x`, given what is known of the drift beforehand; nil before two exchanges.
    mutating func fit(at x: Double, priorSlope: Double, priorVariance: Double) -> LineState? {
        guard samples.count >= 2 else { return nil }
        let center = sumOfMiddles / Double(samples.count)
        let reach = min(8 * priorVariance.squareRoot(), Self.maximumSlope)
        let low = max(priorSlope - reach, -Self.maximumSlope)
        let high = min(priorSlope + reach, Self.maximumSlope)
        guard low < high else { return nil }
        // Two rounds at first: the excess is measured against the envelope, the envelope weighs by the excess.
        let isDue = samples.count >= countAtExcess + max(4, countAtExcess / 8)
        let rounds = isDue ? (countAtExcess == 0 ? 2 : 1) : 0
        var peak = 0.0
        for round in 0...rounds {
            let weight = Weights(count: Double(samples.count), excess: excess)
            peak = ConcavePeak.search(low: low, high: high, tolerance: 1e-10) {
                weight.score(self, slope: $0, center: center, priorSlope: priorSlope, priorVariance: priorVariance)
            }
            if round < rounds { measureExcess(slope: peak, center: center) }
        }
        let line = posterior(
            at: x, center: center, peak: peak, bounds: (low, high), prior: (priorSlope, priorVariance))
        fitted = (
            line, center, forward.intercept(slope: line.slope, center: center),
            backward.intercept(slope: -line.slope, center: center)
        )
        return line
    }

    /// The typical excess of each direction's delay over its envelope: median / ln 2, which stalls do not move.
    private mutating func measureExcess(slope: Double, center: Double) {
        let ahead = forward.intercept(slope: slope, center: center)
        let back = backward.intercept(slope: -slope, center: center)
        let there = samples.map { $0.forward - slope * ($0.sentAt - center) - ahead }.sorted()
        let here = samples.map { $0.backward + slope * ($0.receivedAt - center) - back }.sorted()
        // One of the points is the envelope itself, which makes a median of few points too small.
        let correction = Double(samples.count) / Double(max(samples.count - 1, 1)) / 0.693
        let middle = samples.count / 2
        excess = (
            max(there[middle] * correction, Self.leastExcess), max(here[middle] * correction, Self.leastExcess)
        )
        countAtExcess = samples.count
    }

    /// Sums the likelihood over slopes around its peak.
    private func posterior(
        at x: Double, center: Double, peak: Double, bounds: (low: Double, high: Double),
        prior: (slope: Double, variance: Double)
    ) -> LineState {
        let weights = Weights(count: Double(samples.count), excess: excess)
        let score = {
            weights.score(self, slope: $0, center: center, priorSlope: prior.slope, priorVariance: prior.variance)
        }
        let top = score(peak)
        let low = Self.edge(from: peak, to: bounds.low, top: top, score)
        let high = Self.edge(from: peak, to: bounds.high, top: top, score)
        var sums = (weight: 0.0, slope: 0.0, value: 0.0, slopes: 0.0, values: 0.0, products: 0.0)
        let steps = 32
        let peakOffset = offset(slope: peak, center: center, at: x)
        for step in 0...steps {
            let slope = low + (high - low) * Double(step) / Double(steps)
            let weight = Exponential.ofNegative(top - score(slope))
            let tilt = slope - peak
            let value = offset(slope: slope, center: center, at: x) - peakOffset
            sums.weight += weight
            sums.slope += weight * tilt
            sums.value += weight * value
            sums.slopes += weight * tilt * tilt
            sums.values += weight * value * value
            sums.products += weight * tilt * value
        }
        let tilt = sums.slope / sums.weight
        let value = sums.value / sums.weight
        let floor = weights.interceptVariance
        let gap = (excess.forward - excess.backward) / (2 * Double(samples.count))
        let length = span
        return LineState(
            x: x, value: peakOffset + value - gap, slope: peak + tilt,
            valueVariance: max(sums.values / sums.weight - value * value, 0) + floor
                + ClockFilter.wander * length * length * length / 20,
            covariance: sums.products / sums.weight - tilt * value,
            slopeVariance: max(sums.slopes / sums.weight - tilt * tilt, 1e-24) + ClockFilter.wander * length / 2)
    }

    private func offset(slope: Double, center: Double, at x: Double) -> Double {
        (forward.intercept(slope: slope, center: center) - backward.intercept(slope: -slope, center: center)) / 2
            + slope * (x - center)
    }

    /// How far from the peak towards `limit` the score stays within 10 of the top, found by halving.
    private static func edge(from peak: Double, to limit: Double, top: Double, _ score: (Double) -> Double) -> Double {
        var inside = 0.0
        var outside = 1.0
        if score(limit) > top - 10 { return limit }
        for _ in 0..<24 {
            let middle = (inside + outside) / 2
            if score(peak + (limit - peak) * middle) > top - 10 { inside = middle } else { outside = middle }
            if outside - inside < outside * 0.05 { break }
        }
        return peak + (limit - peak) * outside
    }

    /// How heavily the height of the envelopes counts.
    private struct Weights {
        let count: Double
        let excess: (forward: Double, backward: Double)

        /// The variance of the offset that the heights leave when the slope is known.
        var interceptVariance: Double {
            let there = excess.forward / count
            let here = excess.backward / count
            return (there * there + here * here) / 4
        }

        /// Logarithm of prior times likelihood.
        func score(
            _ fit: EnvelopeFit, slope: Double, center: Double, priorSlope: Double, priorVariance: Double
        ) -> Double {
            let there = fit.forward.intercept(slope: slope, center: center) / excess.forward
            let here = fit.backward.intercept(slope: -slope, center: center) / excess.backward
            let tilt = slope - priorSlope
            return count * (there + here) - tilt * tilt / (2 * priorVariance)
        }
    }
}
