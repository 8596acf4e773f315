/// The posterior of the line between two clocks: both directions' floors with one common slope, and a prior line.
///
/// For each of a few slopes the floors of both directions are located (`DelayEdge`); half their difference is the
/// offset, and how well the delays and the prior go with the slope weighs it. A constant difference between the
/// directions' least delays cannot be seen: half of it is error.
struct LineFit: Sendable {
    /// The largest slope considered, a plain ratio: 600 ppm.
    static let maximumSlope = 600e-6
    /// Slopes tried at once.
    private static let slopeCount = 7

    var there = DelayEdge()
    var back = DelayEdge()
    /// Mean of both floors at `center`: offset plus delay, and delay minus offset.
    private(set) var floors = (there: 0.0, back: 0.0)
    /// By how much more the delay there is than the one back, halved, as far as what was known before tells it.
    private(set) var skew = 0.0
    private(set) var center = 0.0
    private(set) var slope = 0.0
    /// How many standard deviations the delays alone lie from the prior line, squared.
    private(set) var conflict = 0.0
    private var width: Double?
    private var blurs: [Double] = []
    /// What was known beside the points, at `center`.
    private var known: LineState?
    private var path: Path?
    /// Logarithm of the sum over all slopes.
    private var mass = 0.0

    /// What has become of the way since something was known.
    struct Path {
        /// What the round trips were like that the prior was learnt from.
        var before: TripSpan
        /// How far it is believed that delays which have become longer since have done so in one direction alone, 0 …
        /// 1.
        var suspicion: Double
        /// By how much the line may seem tilted by a queue that has filled or drained, a plain ratio.
        var tilt: Double
    }

    private struct Term {
        var slope: Double
        var weight: Double
        var there: EdgePosterior
        var back: EdgePosterior
    }

    mutating func forget() {
        there.forget()
        back.forget()
        width = nil
    }

    /// The line at host time `now`. `prior` is what is known beside `points`, and holds for `now`.
    ///
    /// - Parameter path: what has become of the way since the prior was learnt; nil where both directions' least delays
    ///   are taken to be equal.
    mutating func fit(
        _ points: [ClockSample], at now: Double, prior: LineState, wander: Double, path: Path? = nil
    ) -> LineState? {
        self.path = path
        guard points.count >= 2 else { return nil }
        let middle = points.reduce(0.0) { $0 + $1.middle } / Double(points.count)
        there.shift(by: slope * (middle - center))
        back.shift(by: -slope * (middle - center))
        center = middle
        blurs.removeAll(keepingCapacity: true)
        for point in points {
            let age = abs(now - point.middle)
            blurs.append(DelayEdge.noise * DelayEdge.noise + wander * age * age * age / 3)
        }
        let known = prior.moved(to: center, wander: 0)
        let terms = slopes(points, known: known)
        return combined(terms, known: known, now: now)
    }

    /// Learns how the delays of both directions scatter above their floors: one shape, each its scale.
    ///
    /// - Parameter isFirst: whether nothing is known of them; else only the shape that was learnt and those next to it
    ///   are tried.
    mutating func learn(_ points: [ClockSample], isFirst: Bool) {
        var best: (score: Double, there: DelayEdge, back: DelayEdge)?
        there.prepare(points, isForward: true, slope: slope, center: center)
        back.prepare(points, isForward: false, slope: slope, center: center)
        let known = there.model.shape
        for shape in DelayModel.Shape.allCases where isFirst || shape.isNext(to: known) {
            var ahead = there
            var behind = back
            let score =
                shape.bias
                + ahead.suppose(shape, blurs: blurs)
                + behind.suppose(shape, blurs: blurs)
            if score > best?.score ?? -.infinity { best = (score, ahead, behind) }
        }
        guard let best else { return }
        there = best.there
        back = best.back
    }

    /// Scores slopes around the most likely one, closely enough to be summed.
    private mutating func slopes(_ points: [ClockSample], known: LineState) -> [Term] {
        let sigma = known.slopeVariance.squareRoot()
        var middle = width == nil ? known.slope : slope
        var half = min(width ?? 3.5 * sigma, 3.5 * sigma)
        var terms: [Term] = []
        for _ in 0..<10 {
            terms.removeAll(keepingCapacity: true)
            for index in 0..<Self.slopeCount {
                let tried = middle + half * (Double(2 * index) / Double(Self.slopeCount - 1) - 1)
                terms.append(term(at: tried, points, known: known))
            }
            let top = terms.indices.max { terms[$0].weight < terms[$1].weight } ?? 0
            let best = terms[top].weight
            let heavy = terms.count { $0.weight > best - 2 }
            let isAtEnd = top == 0 || top == Self.slopeCount - 1
            if isAtEnd, abs(terms[top].slope - known.slope) < 8 * sigma + 1e-9 {
                middle = terms[top].slope
                if heavy > 2 { half *= 1.6 }
            } else if heavy < 3 {
                middle = terms[top].slope
                half *= 0.4
            } else {
                break
            }
        }
        return terms
    }

    private mutating func term(at slope: Double, _ points: [ClockSample], known: LineState) -> Term {
        let ahead = there.posterior(points, isForward: true, slope: slope, center: center, blurs: blurs)
        let behind = back.posterior(points, isForward: false, slope: slope, center: center, blurs: blurs)
        let tilt = slope - known.slope
        let unseen = path?.tilt ?? 0
        // What a queue may have made of the slope counts by as much as it is less than what was known of it.
        let trust = 1 / (1 + unseen * unseen / known.slopeVariance)
        var weight = trust * (ahead.logEvidence + behind.logEvidence) - tilt * tilt / (2 * known.slopeVariance)
        // The offset that goes with the slope, against the prior's.
        let expected = known.value + known.covariance / known.slopeVariance * tilt
        let freedom = known.valueVariance - known.covariance * known.covariance / known.slopeVariance
        let variance = variance(ahead, behind) + max(freedom, 1)
        let gap = (ahead.mean - behind.mean) / 2 - expected
        weight -= gap * gap / (2 * variance)
        return Term(slope: slope, weight: weight, there: ahead, back: behind)
    }

    /// The variance of an offset of which both floors are known so well, and whether one of them has grown is not, ns².
    private func variance(_ there: EdgePosterior, _ back: EdgePosterior) -> Double {
        let unseen = path.map { $0.before.excess(of: there.mean + back.mean) * $0.suspicion / 2 } ?? 0
        return (there.variance + back.variance) / 4 + unseen * unseen
    }

    /// Logarithm of the posterior density of `slope`, of the same points as the last fit; nil without one.
    mutating func logDensity(of slope: Double, _ points: [ClockSample]) -> Double? {
        guard let known, points.count == blurs.count else { return nil }
        let guesses = (there.guess, back.guess)
        defer { (there.guess, back.guess) = guesses }
        return term(at: slope, points, known: known).weight - mass
    }

    private mutating func combined(_ terms: [Term], known: LineState, now: Double) -> LineState? {
        let best = terms.map(\.weight).max() ?? 0
        let base = known.value
        var sums = (weight: 0.0, slope: 0.0, value: 0.0, slopes: 0.0, values: 0.0, products: 0.0)
        var floor = (there: 0.0, back: 0.0)
        var away = 0.0
        for term in terms {
            let weight = Exponential.ofNegative(best - term.weight)
            let tilt = term.slope - known.slope
            let expected = known.covariance / known.slopeVariance * tilt
            let freedom = max(known.valueVariance - known.covariance * known.covariance / known.slopeVariance, 1)
            let measured = (term.there.mean - term.back.mean) / 2 - base
            let variance = variance(term.there, term.back)
            let share = freedom / (freedom + variance)
            let value = expected + share * (measured - expected)
            let left = share * variance
            away += weight * (measured - expected) * (measured - expected) / (freedom + variance)
            sums.weight += weight
            sums.slope += weight * tilt
            sums.value += weight * value
            sums.slopes += weight * tilt * tilt
            sums.values += weight * (value * value + left)
            sums.products += weight * tilt * value
            floor.there += weight * term.there.mean
            floor.back += weight * term.back.mean
        }
        guard sums.weight > 0 else { return nil }
        let tilt = sums.slope / sums.weight
        let value = sums.value / sums.weight
        let step = ((terms.last?.slope ?? 0) - (terms.first?.slope ?? 0)) / Double(Self.slopeCount - 1)
        mass = best + Logarithm.of(sums.weight * step)
        self.known = known
        floors = (floor.there / sums.weight, floor.back / sums.weight)
        conflict = away / sums.weight
        let isLonger = path.map { $0.before.excess(of: floors.there + floors.back) > 0 } ?? false
        skew = isLonger ? (floors.there - floors.back) / 2 - base - value : 0
        slope = known.slope + tilt
        let line = LineState(
            x: center, value: base + value, slope: slope,
            valueVariance: max(sums.values / sums.weight - value * value, 1),
            covariance: sums.products / sums.weight - tilt * value,
            slopeVariance: max(sums.slopes / sums.weight - tilt * tilt, 1e-24))
        width = max(line.slopeVariance.squareRoot() * 3, 1e-11)
        return line.moved(to: now, wander: 0)
    }
}
