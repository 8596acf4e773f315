/// Fits the strip between both hulls of positions that a card reports, which move in steps.
///
/// A stepping pointer reports late by anything between nothing and one step, never early: the true line runs above
/// every report and within a step of it. Each report so excludes lines from both sides, and what is left shrinks as
/// 1/N. The slopes that are left are summed with the weight of their offsets and of a prior.
///
/// Everything is in nanoseconds; slopes are plain ratios. Nothing allocates.
struct StripFit: Sendable {
    /// The largest slope considered: 600 ppm.
    static let maximumSlope = 600e-6
    /// No reading is better than this, ns: clock and pointer are read one after the other.
    static let leastSigma = 100.0

    private(set) var upper = HullChain(isLower: false)
    private(set) var lower = HullChain(isLower: true)
    private(set) var count = 0
    /// The height of the narrowest strip that holds all reports, after `fit`.
    private(set) var width = 0.0

    mutating func append(x: Double, y: Double) {
        upper.append(x: x, y: y)
        lower.append(x: x, y: y)
        count = min(count + 1, 1 << 20)
    }

    mutating func removeAll() {
        upper.removeAll()
        lower.removeAll()
        count = 0
        width = 0
    }

    /// Forgets what lies before `x`.
    mutating func removeReports(before x: Double) {
        upper.removeVertices(before: x)
        lower.removeVertices(before: x)
    }

    /// The oldest report that still counts.
    var firstX: Double { max(upper.firstX, lower.firstX) }

    /// The true line at `x` for a pointer that moves in steps of `step` nanoseconds, one frame lasting `frame`.
    mutating func fit(at x: Double, step: Double, frame: Double, slope prior: Double, variance: Double) -> LineState {
        precondition(count > 0, "a fit needs readings")
        precondition(step > 0 && frame > 0, "steps and frames take time")
        let (line, height) = line(at: x, step: step, frame: frame, slope: prior, variance: variance)
        width = height
        return line
    }

    /// The line, and the height of the narrowest strip; changes nothing, so that the hulls need not be copied to be
    /// looked at.
    private func line(
        at x: Double, step: Double, frame: Double, slope prior: Double, variance: Double
    ) -> (line: LineState, height: Double) {
        let (low, high) = Self.slopes(around: prior, variance: variance)
        let narrowest = ConcavePeak.search(low: low, high: high, tolerance: 1e-10) { -height(slope: $0, at: x) }
        let width = height(slope: narrowest, at: x)
        // Readings that keep to one side of the step leave open where it is; the edge that they show is the best guess,
        // as it is the true one for a reader that the step itself wakes. Noise makes the strip higher than a step.
        let seen = 2 * width > step ? step : min(step, 1.25 * width + frame)
        // Uneven steps make the strip higher than a step, and somewhat higher still than what was seen of it. A little
        // more than a step is the readings' own noise, which leaves the line open by as much.
        let isUneven = width > 1.3 * step
        let hidden = isUneven ? width / Double(count) : 0
        let excess = isUneven ? 0 : max(width - step, 0)
        let allowed = max(seen, width + hidden + 0.005 * frame)
        let unseen = max(step - allowed, 0)
        // Up to two frames of noise to either side are symmetric jitter; more are steps that no divisor shows.
        let isJitter = isUneven && width < step + 4 * frame
        let late = isJitter ? step : allowed
        let vague = isUneven && !isJitter ? 0.08 * frame : 0
        let from = edge(from: narrowest, to: low, at: x, allowed: allowed)
        let to = edge(from: narrowest, to: high, at: x, allowed: allowed)
        var sums = (weight: 0.0, slope: 0.0, value: 0.0, slopes: 0.0, values: 0.0, products: 0.0, free: 0.0)
        let base = middle(slope: narrowest, at: x)
        let steps = 24
        for index in 0..<steps {
            let slope = from + (to - from) * (Double(index) + 0.5) / Double(steps)
            let free = max(allowed - height(slope: slope, at: x), 0)
            let away = (slope - prior) * (slope - prior) / (2 * variance)
            let weight = (free + 1e-3) * Exponential.ofNegative(away)
            let tilt = slope - narrowest
            let value = middle(slope: slope, at: x) - base
            sums.weight += weight
            sums.slope += weight * tilt
            sums.value += weight * value
            sums.slopes += weight * tilt * tilt
            sums.values += weight * value * value
            sums.products += weight * tilt * value
            sums.free += weight * free * free / 12
        }
        guard sums.weight > 0 else {
            let line = LineState(
                x: x, value: base + late / 2, slope: narrowest, valueVariance: allowed * allowed / 12, covariance: 0,
                slopeVariance: variance)
            return (line, width)
        }
        let tilt = sums.slope / sums.weight
        let value = sums.value / sums.weight
        let line = LineState(
            x: x, value: base + value + late / 2, slope: narrowest + tilt,
            valueVariance: max(sums.values / sums.weight - value * value, 0) + sums.free / sums.weight
                + unseen * unseen / 12 + (hidden * hidden + excess * excess) / 4 + vague * vague
                + Self.leastSigma * Self.leastSigma,
            covariance: sums.products / sums.weight - tilt * value,
            slopeVariance: max(sums.slopes / sums.weight - tilt * tilt, 1e-18))
        return (line, width)
    }

    /// Whether the reports fit a strip far narrower than the last fit's, at a slope that the prior excluded, and that
    /// one was no strip of a pointer's step.
    func isWiderThanNeeded(at x: Double, step: Double, frame: Double) -> Bool {
        // Few reports leave room for many slopes.
        let chance = 2 * frame + 8 * width / Double(max(count, 1))
        guard width > step + chance else { return false }
        let narrowest = ConcavePeak.search(low: -Self.maximumSlope, high: Self.maximumSlope, tolerance: 1e-8) {
            -height(slope: $0, at: x)
        }
        return height(slope: narrowest, at: x) < width - chance
    }

    /// The height of the narrowest strip that holds all reports, at a slope that the prior allows.
    func leastHeight(at x: Double, slope prior: Double, variance: Double) -> Double {
        let (low, high) = Self.slopes(around: prior, variance: variance)
        let narrowest = ConcavePeak.search(low: low, high: high, tolerance: 1e-8) { -height(slope: $0, at: x) }
        return height(slope: narrowest, at: x)
    }

    /// The height of the narrowest strip that holds all reports, at any slope.
    func leastHeight(at x: Double) -> Double { leastHeight(at: x, slope: 0, variance: .infinity) }

    private static func slopes(around prior: Double, variance: Double) -> (low: Double, high: Double) {
        let reach = min(6 * variance.squareRoot(), maximumSlope)
        let low = max(prior - reach, -maximumSlope)
        return (low, max(min(prior + reach, maximumSlope), low))
    }

    private func height(slope: Double, at x: Double) -> Double {
        upper.intercept(slope: slope, center: x) - lower.intercept(slope: slope, center: x)
    }

    private func middle(slope: Double, at x: Double) -> Double {
        (upper.intercept(slope: slope, center: x) + lower.intercept(slope: slope, center: x)) / 2
    }

    /// How far towards `limit` a strip no higher than `allowed` can be tilted.
    private func edge(from start: Double, to limit: Double, at x: Double, allowed: Double) -> Double {
        if height(slope: limit, at: x) <= allowed { return limit }
        var inside = 0.0
        var outside = 1.0
        for _ in 0..<24 where outside - inside > outside * 0.02 {
            let half = (inside + outside) / 2
            if height(slope: start + (limit - start) * half, at: x) <= allowed { inside = half } else { outside = half }
        }
        return start + (limit - start) * outside
    }
}
