/// A clock fit that was known before the exchanges with whoever is asked now.
///
/// Exchanges that stand in a queue one way, all of them, are as sure of another fit as others are of theirs. It
/// differs by half of what they wait. No clock gets there so soon: whoever knew the fit keeps it until the
/// queue is gone, or has stood for so long that it may be the way.
struct KnownLine: Sendable {
    /// For how long it is held against exchanges that contradict it, nanoseconds: longer than the queue of a timeline
    /// that is loaded.
    private static let timeout = 12e9
    /// How many standard deviations off a fit counts as another one: of what was known, and of the rates of crystals,
    /// of which nothing is known by then.
    private static let limits = (line: 6.0, rate: 3.0)

    private let line: LineState
    /// For how long the clocks had gone by then since they were compared, nanoseconds.
    private let age: Double

    init(line: LineState, age: Double) {
        (self.line, self.age) = (line, age)
    }

    /// The line as of the time of `other`, where that is one that the clocks cannot have come to, at any rate; nil
    /// where they can.
    func held(against other: LineState) -> LineState? {
        guard other.x - line.x < Self.timeout else { return nil }
        let here = line.moved(to: other.x, wander: ClockEstimator.wander)
        let run = ClockEstimator.unknownDriftSigma * (age + abs(other.x - line.x))
        let reach = Self.limits.line * here.valueVariance.squareRoot() + Self.limits.rate * run
        return abs(other.value - here.value) > reach ? here : nil
    }
}
