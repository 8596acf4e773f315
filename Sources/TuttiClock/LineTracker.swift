/// Follows the line between two clocks under one assumption about how fast their rates wander.
///
/// Recent exchanges are kept and fitted as they are (`LineFit`); when there are too many, or they are so old that the
/// wander hides what they tell, the older half becomes part of the prior line.
struct LineTracker: Sendable {
    /// How fast the rate wanders, variance of the ratio a nanosecond.
    private(set) var wander: Double
    /// Whether what no path explains is taken for another rate of the clock, and what was known of it given up.
    private(set) var isOpen: Bool
    /// Exchanges before the first fit, and before the first one after all floors have changed: until then what was
    /// known holds.
    private static let (pointsToFit, pointsToRefit) = (5, 32)
    /// So many in a row far above the floors are a new path, not a stall.
    private static let straysToMove = 40
    private static let undercutsToMove = 8
    /// Exchanges after which the clock may be thought to have changed; before that it is the floors that are not known.
    private static let exchangesToDoubt = 256
    /// The prior line is dropped when the exchanges alone are so many variances away.
    private static let conflictToDrop = 36.0
    /// For how long that must be so in every fit where delays are of any length, nanoseconds: after a stall or two the
    /// delays of seconds are fitted wrongly.
    private static let conflictTimeout = 12e9
    /// Nanoseconds in which the belief fades that longer round trips are so in one direction alone: a queue's, in which
    /// they scatter, and where it seems to be another way.
    private static let timeouts = (queue: 300e9, way: 60e9)
    /// So little is none.
    private static let leastSuspicion = 0.05
    /// Exchanges kept at most.
    private static let capacity = 1_024
    private var points: [ClockSample] = []
    private var prior: LineState
    private var fit = LineFit()
    private var pointsAtModel = 0
    private var pointsWanted = pointsToFit
    private var strays = 0
    private var quick = Double.infinity
    /// Since when the exchanges have contradicted the prior line.
    private var conflictSince: Double?
    /// What the round trips were like that tell the prior line's offset; nil where that is not known.
    private var priorTrips: TripSpan?
    /// How far it is believed that longer round trips are longer in one direction alone, 0 … 1, and as of when.
    private var suspicion = (share: 1.0, at: 0.0)
    /// Which of the last exchanges were below the floors, a bit each.
    private var undercuts: UInt16 = 0
    /// Which of them were so though their round trips were as long as the floors have it: no shorter path explains
    /// those.
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
    /// A queue that stands in one direction for a second looks like a clock that has moved, or like a drift. But it
    /// makes round trips longer, and a clock does not; and those that were quick hold nearly all that there is to know.
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
        guard points.count >= pointsWanted else {
            if prior.valueVariance < ClockEstimator.unknown / 2 { state = prior.moved(to: x, wander: wander) }
            return
        }
        pointsWanted = Self.pointsToFit
        let isDue = self.points.count >= pointsAtModel + max(4, pointsAtModel / 8)
        for round in 0..<(isDue ? (pointsAtModel == 0 ? 3 : 2) : 1) {
            if round > 0 {
                fit.learn(points, isFirst: pointsAtModel == 0)
                pointsAtModel = self.points.count
            }
            state = fitted(points, at: x) ?? state
        }
        guard fit.conflict > Self.conflictToDrop, points.count >= 64, let first = points.first, x - first.middle > 3e9
        else {
            conflictSince = nil
            return
        }
        let since = conflictSince ?? x
        conflictSince = since
        guard quick.isFinite || x - since > Self.conflictTimeout else { return }
        conflictSince = nil
        forgetOffset(slopeSigma: 1e-6)
        state = fitted(points, at: x)
    }

    /// The line of `points` and of what was known before them.
    ///
    /// A constant difference between both directions cannot be seen. So where all round trips have become longer by a
    /// queue, or by another way, offsets may seem other ones by half of that, and slopes while a queue fills or drains;
    /// and those that were known from longer round trips may have been wrong by as much.
    private mutating func fitted(_ points: [ClockSample], at x: Double) -> LineState? {
        var known = prior.moved(to: x, wander: wander)
        guard let before = priorTrips, let now = TripSpan(points) else {
            return fit.fit(points, at: x, prior: known, wander: wander)
        }
        let wrong = before.excess(over: now) / 2
        known.valueVariance += wrong * wrong
        let span = max((points.last?.middle ?? 0) - (points.first?.middle ?? 0), 1e9)
        let line = fit.fit(
            points, at: x, prior: known, wander: wander,
            path: LineFit.Path(
                before: before, suspicion: suspicion.share,
                tilt: suspicion.share * now.growth(since: before) / 2 / span))
        guard x > suspicion.at else { return line }
        let isLonger = before.excess(of: fit.floors.there + fit.floors.back) > 0
        let timeout = now.scatters(moreThan: before) ? Self.timeouts.queue : Self.timeouts.way
        suspicion.share *= Exponential.ofNegative((x - suspicion.at) / timeout)
        suspicion = (isLonger ? suspicion.share : 1, x)
        return line
    }

    /// Nothing is known of the offset any more, and of the slope less.
    private mutating func forgetOffset(slopeSigma: Double) {
        prior.valueVariance = ClockEstimator.unknown
        prior.covariance = 0
        prior.slopeVariance += slopeSigma * slopeSigma
        priorTrips = nil
    }

    /// Logarithm of the density of `slope`, as of the fit that `update` has just made; nil where it made none.
    mutating func logDensity(of slope: Double) -> Double? { fit.logDensity(of: slope, usable(points[...])) }

    /// What the round trips were like that its line comes from, `points` and those before, as of the last fit.
    private func trips(of points: [ClockSample]) -> TripSpan? {
        guard let trips = TripSpan(points, floors: fit.floors.there + fit.floors.back) else { return priorTrips }
        return priorTrips.map { $0.joined(with: trips) } ?? trips
    }

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
        let present = fit
        if let line = fitted(older, at: x) {
            if suspicion.share < Self.leastSuspicion {
                // Of a way that has been the way for so long, what another was like counts no more.
                (priorTrips, suspicion.share) = (TripSpan(older, floors: fit.floors.there + fit.floors.back), 1)
            } else if line.valueVariance < prior.moved(to: x, wander: wander).valueVariance / 2 {
                // It is these that the offset is known from.
                priorTrips = trips(of: older)
            }
            prior = line
        }
        fit = present
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

    /// All exchanges from now on have other floors, in each direction: all before them are a prior now, whose offset is
    /// known no better than `sigma`.
    mutating func changeFloors(by sigma: Double, at x: Double) {
        moveToNewPath(keeping: 0)
        points.removeAll(keepingCapacity: true)
        quick = .infinity
        conflictSince = nil
        priorTrips = nil
        pointsWanted = Self.pointsToRefit
        prior = prior.moved(to: max(x, prior.x), wander: wander)
        prior.valueVariance += sigma * sigma
    }

    /// The clock goes at another rate, since the first exchange that no path explains: what was known of it counts no
    /// more.
    private mutating func startAnew(keeping recent: Int) {
        points.removeFirst(points.count - min(recent, points.count))
        (undercuts, turns, strays, pointsAtModel, conflictSince) = (0, 0, 0, 0, nil)
        forgetOffset(slopeSigma: ClockEstimator.unknownDriftSigma)
        fit.forget()
    }

    /// Forgets all that it knows for the line of one that knows it better.
    mutating func goOn(from other: LineTracker) {
        guard let line = other.state else { return }
        points.removeAll(keepingCapacity: true)
        (undercuts, turns, strays, pointsAtModel, conflictSince) = (0, 0, 0, 0, nil)
        prior = line
        priorTrips = other.trips(of: other.usable(other.points[...]))
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
        return (sample.forward - line.value - half - fit.skew, sample.backward + line.value - half + fit.skew)
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
