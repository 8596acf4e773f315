/// When a line is fitted anew: once enough exchanges have come, then while their number grows by a 32nd, and at least
/// so often. All times in nanoseconds.
package struct FitSchedule: Sendable {
    /// What is to be done after an exchange.
    package enum Step: Sendable {
        /// There are too few for a line.
        case collect
        case wait
        case fit
    }

    /// Round trips one after the other before exchanges count: those that are under way together stand in the same
    /// queue, and say one thing many times.
    static let turnsToStart = 3
    /// Exchanges that are all fitted.
    private static let beginning = 16
    /// An established line is fitted anew so often, or more seldom where that has to be cheap.
    private static let interval = 2e9
    /// The same for as long after the rate seems to have jumped.
    private static let unsettled = (interval: 0.25e9, time: 10e9)

    private let interval: Double
    private var seen = 0
    /// How many exchanges have begun after the one before was over, and when the last of those was over.
    private var (turns, turnOver) = (0, -Double.infinity)
    private var (fittedAt, seenAtFit) = (-Double.infinity, 0)
    /// Until when there is reason to look closely.
    private var unsettledUntil = -Double.infinity

    /// - Parameter pollDivisor: how many times as seldom exchanges come as they should for the best estimate. Above 1
    ///   an established line is fitted again twice as many times as seldom, since a fit costs more than an exchange.
    package init(pollDivisor: Int64) { interval = Self.interval * Double(pollDivisor > 1 ? 2 * pollDivisor : 1) }

    /// Exchanges are counted from here on.
    package mutating func restart() {
        (seen, turns, turnOver) = (0, 0, -.infinity)
        (fittedAt, seenAtFit) = (-.infinity, 0)
    }

    /// The rate seems to have jumped at `x`: the next fits decide, and are not to be long in coming.
    package mutating func unsettle(at x: Double) { (unsettledUntil, fittedAt) = (x + Self.unsettled.time, -.infinity) }

    /// An exchange has come.
    ///
    /// - Parameters:
    ///   - needed: how many a line takes; 0 where there is one.
    ///   - middle: the exchange's place on the line.
    package mutating func take(sentAt: Double, receivedAt: Double, middle: Double, needed: Int) -> Step {
        seen += 1
        if sentAt >= turnOver { (turns, turnOver) = (turns + 1, receivedAt) }
        guard seen >= needed, turns >= Self.turnsToStart else { return .collect }
        let interval = middle < unsettledUntil ? Self.unsettled.interval : interval
        let isDue = seen <= Self.beginning || seen - seenAtFit > seen / 32 || middle - fittedAt > interval
        guard isDue else { return .wait }
        (seenAtFit, fittedAt) = (seen, middle)
        return .fit
    }
}
