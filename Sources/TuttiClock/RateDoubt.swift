/// Whether what is remembered of a clock's rate still holds.
///
/// Nearly always it does. But an oscillator may have jumped to another rate since, this host's or the leader's; whoever
/// trusts the memory then is sure of a line that is wrong, until the error has grown beyond what exchanges scatter by.
/// So a second tracker, the null hypothesis, follows the same exchanges. It knows no more than that crystals are within
/// some tens of ppm. How dense it finds the remembered rate to lie among all, compared with how dense that lay there
/// beforehand, is what the exchanges say for the memory.
struct RateDoubt: Sendable {
    /// Logarithm of the odds, before the first exchange, that the rate is another one.
    private static let odds = -4.0
    /// Logarithm of the odds beyond which that is certain.
    private static let certainty = 6.0
    /// By how much rates that have changed differ from what they were, one as likely as the other: a host that has
    /// warmed up, or is another.
    private static let changes = [4e-6, 15e-6, 60e-6]
    /// What the exchanges say counts by so much: delays are not quite as their model has them, behind two queues least
    /// of all.
    private static let trust = 0.7
    /// Where a normal distribution is looked at instead of all over, in standard deviations, and the logarithm of what
    /// each place counts.
    private static let places = [(-3.0.squareRoot(), -1.791_759), (0, -0.405_465), (3.0.squareRoot(), -1.791_759)]
    /// For how long a memory is doubted, nanoseconds; after that the exchanges count for more.
    private static let timeout = 60e9

    private let memory: LineState
    /// The null hypothesis: it knows nothing but the exchanges.
    private(set) var nullTracker: LineTracker
    /// Logarithm of the odds that the rate is another one.
    private var logOdds = odds
    private var firstAt: Double?
    /// Whether the memory counts for nothing beside the exchanges any more.
    private(set) var isOver = false

    /// A doubt about the slope of `memory`; nil where that is hardly better known than that of any clock.
    ///
    /// - Parameter age: for how long, in nanoseconds, the clocks have gone since they were compared. At another rate
    ///   they are apart by that and no more, so a queue that fills, which looks like one, does not carry that tracker
    ///   away.
    init?(of memory: LineState, age: Double) {
        guard memory.slopeVariance < Self.ignorance / 4 else { return nil }
        self.memory = memory
        var prior = memory
        prior.valueVariance = min(prior.valueVariance + Self.ignorance * age * age, ClockEstimator.unknown)
        prior.covariance = 0
        prior.slopeVariance = Self.ignorance
        nullTracker = LineTracker(wander: ClockEstimator.wander, prior: prior)
    }

    /// Variance of the rate of any clock.
    private static var ignorance: Double { ClockEstimator.unknownDriftSigma * ClockEstimator.unknownDriftSigma }

    /// Whether the rate is another one, as good as certainly.
    var isConfirmed: Bool { logOdds > Self.certainty }

    /// The null hypothesis' line, and with which probability it is right; nil as long as the exchanges do not speak
    /// against the memory.
    var objection: (line: LineState, share: Double)? {
        guard logOdds > Self.odds, let line = nullTracker.state else { return nil }
        // What was likely beforehand is no reason to be less sure: it is so of every start.
        let before = Self.probability(Self.odds)
        return (line, (Self.probability(logOdds) - before) / (1 - before))
    }

    private static func probability(_ logOdds: Double) -> Double {
        let ratio = Exponential.ofNegative(abs(logOdds))
        return (logOdds < 0 ? ratio : 1) / (1 + ratio)
    }

    mutating func take(_ sample: ClockSample) {
        firstAt = firstAt ?? sample.middle
        _ = nullTracker.take(sample)
    }

    /// Weighs the memory, as of host time `x`, against the exchanges whose round trip was at most `quick`.
    mutating func update(at x: Double, quick: Double) {
        nullTracker.update(at: x, quick: quick)
        guard let line = nullTracker.state else { return }
        let known = memory.moved(to: x, wander: ClockEstimator.wander)
        let sigma = known.slopeVariance.squareRoot()
        var found: [Double] = []
        for (place, share) in Self.places {
            guard let density = nullTracker.logDensity(of: known.slope + place * sigma) else { return }
            found.append(density + share)
        }
        let forMemory = Self.sum(found) + Logarithm.of(2 * Double.pi * Self.ignorance) / 2
        let gap = line.slope - known.slope
        let changed = Self.changes.map { Self.logDensity(gap, line.slopeVariance + $0 * $0) }
        let forChange =
            Self.sum(changed) - Logarithm.of(Double(changed.count))
            - Self.logDensity(gap, line.slopeVariance + Self.ignorance)
        logOdds = Self.odds + Self.trust * (forChange - forMemory)
        let isKnown = line.slopeVariance < known.slopeVariance && logOdds < 0
        isOver = isKnown || x - (firstAt ?? x) > Self.timeout
    }

    /// Logarithm of the density of a normal distribution, up to a constant.
    private static func logDensity(_ gap: Double, _ variance: Double) -> Double {
        -(gap * gap / variance + Logarithm.of(variance)) / 2
    }

    /// Logarithm of the sum of what these are the logarithms of.
    private static func sum(_ logarithms: [Double]) -> Double {
        let most = logarithms.max() ?? 0
        return most + Logarithm.of(logarithms.reduce(0) { $0 + Exponential.ofNegative(most - $1) })
    }
}
