/// Follows the line between two clocks under one assumption about how fast their rates wander.
///
/// Recent exchanges are kept and fitted as they are (`LineFit`); when there are too many, or they are so old that the
/// wander hides what they tell, the older half becomes part of the prior line.
struct LineTracker: Sendable {
    /// How fast the rate wanders, variance of the ratio a nanosecond.
    private(set) var wander: Double
    /// Whether what no path explains is taken for another rate of the clock, and what was known of it given up.
    private(set) var isOpen: Bool
    /// Exchanges before the first fit.
    private static let pointsToFit = 5
    /// So many in a row far above the floors are a new path, not a stall.
    private static let straysToMove = 40
    private static let undercutsToMove = 8
    /// Exchanges after which the clock may be thought to have changed; before that it is the floors that are not known.
    private static let exchangesToDoubt = 256
    /// The prior line is dropped when the exchanges alone are so many variances away.
    private static let conflictToDrop = 36.0
    /// For how long that must be so in every fit where delays are of any length, nanoseconds: after a stall or two the
    /// delays of seconds are fitted wrongly.
    private static let conflictPatience = 12e9
    /// Exchanges kept at most.
    private static let capacity = 1_024
    private var points: [ClockSample] = []
    private var prior: LineState
    private var fit = LineFit()
    private var pointsAtModel = 0
    private var strays = 0
    private var quick = Double.infinity
    /// Since when the exchanges have contradicted the prior line.
    private var conflictSince: Double?
    /// Which of the last exchanges were below the floors, a bit each.
    private var undercuts: UInt16 = 0
    /// Which of them were so though their round trips were as long as the floors have it: no shorter path explains those.
    private var turns: UInt16 = 0
    private var taken = 0
    /// The line as of the last fit.
    private(set) var state: LineState?

    init(wander: Double, prior: LineState, isOpen: Bool = false) {
        self.wander = wander
        self.isOpen = isOpen
        self.prior = prior
    }

    /// Adds an exchange.
    ///
    /// - Returns: how likely it was beforehand (`score`), and whether none of its delays is a stall's.
    mutating func take(_ sample: ClockSample) -> (score: Double, isTelling: Bool) {
        (score(sample), add(sample))
    }

    private mutating func add(_ sample: ClockSample) -> Bool {
        points.append(sample)
        taken = min(taken + 1, Self.exchangesToDoubt)
        guard let state, pointsAtModel > 0 else { return true }
        let excess = excess(of: sample, from: state.moved(to: sample.middle, wander: wander))
        let isStray = excess.there > fit.there.model.limit || excess.back > fit.back.model.limit
        strays = isStray ? strays + 1 : 0
        let reach = 4 * DelayEdge.noise + 6 * state.moved(to: sample.middle, wander: wander).valueVariance.squareRoot()
        let isBelow = min(excess.there, excess.back) < -reach
        undercuts = undercuts << 1 | (isBelow ? 1 : 0)
        let isTurn = isBelow && excess.there + excess.back > -reach && taken >= Self.exchangesToDoubt
        turns = turns << 1 | (isTurn ? 1 : 0)
        return !isStray
    }

    /// Whether no path explains the last two exchanges.
    var isInDoubt: Bool { turns & 3 == 3 }
    /// Whether there were so many of those that the clock must have changed.
    var isRefuted: Bool { turns.nonzeroBitCount >= Self.undercutsToMove }

    /// Fits what is known at host time `x`, from exchanges whose round trip was at most `quick`.
    ///
    /// A queue that stands in one direction for a second looks like a clock that has moved, or like a drift. But it makes
    /// round trips longer, and a clock does not; and those that were quick hold nearly all that there is to know.
    mutating func update(at x: Double, quick: Double) {
        self.quick = quick
        if strays >= Self.straysToMove { moveToNewPath(keeping: strays) }
        if isOpen, isRefuted {
            startAnew(keeping: UInt16.bitWidth - turns.leadingZeroBitCount)
        } else if undercuts.nonzeroBitCount >= Self.undercutsToMove {
            moveToNewPath(keeping: UInt16.bitWidth)
        }
        if max(fit.there.model.scale, fit.back.model.scale) > quick {
            // It was learnt of delays that do not count any more.
            (pointsAtModel, strays) = (0, 0)
            fit.forget()
        }
        if points.count >= Self.capacity || isWorn { settle(points.count / 2) }
        let points = usable(points[...])
        guard points.count >= Self.pointsToFit else {
            if prior.valueVariance < ClockEstimator.unknown / 2 { state = prior.moved(to: x, wander: wander) }
            return
        }
        let isDue = self.points.count >= pointsAtModel + max(4, pointsAtModel / 8)
        for round in 0..<(isDue ? (pointsAtModel == 0 ? 3 : 2) : 1) {
            if round > 0 {
                fit.learn(points, isFirst: pointsAtModel == 0)
                pointsAtModel = self.points.count
            }
            state = fit.fit(points, at: x, prior: prior.moved(to: x, wander: wander), wander: wander) ?? state
        }
        guard fit.conflict > Self.conflictToDrop, points.count >= 64, let first = points.first, x - first.middle > 3e9
        else {
            conflictSince = nil
            return
        }
        let since = conflictSince ?? x
        conflictSince = since
        guard quick.isFinite || x - since > Self.conflictPatience else { return }
        conflictSince = nil
        prior.valueVariance = ClockEstimator.unknown
        prior.covariance = 0
        prior.slopeVariance += 1e-12
        state = fit.fit(points, at: x, prior: prior.moved(to: x, wander: wander), wander: wander)
    }

    /// Logarithm of the density of `slope`, as of the fit that `update` has just made; nil where it made none.
    mutating func logDensity(of slope: Double) -> Double? { fit.logDensity(of: slope, usable(points[...])) }

    private func usable(_ points: ArraySlice<ClockSample>) -> [ClockSample] {
        points.filter { $0.roundTrip <= quick }
    }

    /// Whether a straight line through all exchanges is off by as much as the line is known, for the rate wanders.
    private var isWorn: Bool {
        guard points.count >= 48, let first = points.first, let last = points.last, let state else { return false }
        let span = last.middle - first.middle
        return wander * span * span * span / 20 > state.valueVariance
    }

    /// Turns the oldest exchanges into a prior.
    private mutating func settle(_ count: Int) {
        let older = usable(points.prefix(count))
        guard let x = older.last?.middle else { return }
        var past = fit
        if let line = past.fit(older, at: x, prior: prior.moved(to: x, wander: wander), wander: wander) { prior = line }
        points.removeFirst(count)
        pointsAtModel = points.count
    }

    /// All recent exchanges are far above the floors, or many below: the path has changed. What the old one told is a
    /// prior now.
    private mutating func moveToNewPath(keeping recent: Int) {
        settle(points.count - min(recent, points.count))
        (undercuts, turns) = (0, 0)
        pointsAtModel = 0
        strays = 0
        fit.forget()
    }

    /// The clock goes at another rate, since the first exchange that no path explains: what was known of it counts no more.
    private mutating func startAnew(keeping recent: Int) {
        points.removeFirst(points.count - min(recent, points.count))
        (undercuts, turns, strays, pointsAtModel, conflictSince) = (0, 0, 0, 0, nil)
        prior.valueVariance = ClockEstimator.unknown
        prior.covariance = 0
        prior.slopeVariance += ClockEstimator.unknownDriftSigma * ClockEstimator.unknownDriftSigma
        fit.forget()
    }

    /// Forgets all that it knows for a line that is known better.
    mutating func goOn(from line: LineState) {
        points.removeAll(keepingCapacity: true)
        (undercuts, turns, strays, pointsAtModel, conflictSince) = (0, 0, 0, 0, nil)
        prior = line
        state = line
        fit.forget()
    }

    /// Goes on with all that `other` knows, under its own assumption.
    mutating func goOn(as other: LineTracker) {
        let (wander, isOpen) = (wander, isOpen)
        self = other
        (self.wander, self.isOpen) = (wander, isOpen)
    }

    /// How far the delays of an exchange are above the floors as they were at the last fit, nanoseconds.
    private func excess(of sample: ClockSample, from line: LineState) -> (there: Double, back: Double) {
        let half = (fit.floors.there + fit.floors.back) / 2
        return (sample.forward - line.value - half, sample.backward + line.value - half)
    }

    /// Logarithm of the probability of an exchange before it is taken, up to a constant.
    private func score(_ sample: ClockSample) -> Double {
        guard let state else { return 0 }
        let here = state.moved(to: sample.middle, wander: wander)
        let blur = DelayEdge.noise * DelayEdge.noise + here.valueVariance
        let excess = excess(of: sample, from: here)
        return fit.there.model.logDensity(excess.there, variance: blur)
            + fit.back.model.logDensity(excess.back, variance: blur)
    }
}
