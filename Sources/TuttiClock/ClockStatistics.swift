package import TuttiCore

/// What a follower can say of itself, for status reports.
package struct ClockStatistics: Sendable, Equatable {
    /// The fastest of the last 128 round trips, microseconds; nil before the first exchange.
    package var rttUs: Double?
    /// Standard deviation of the offset now, microseconds; grows while the leader is silent. Nil without an estimate.
    package var sigmaUs: Double?
    /// The group clock's rate against this host's, parts per million.
    package var driftPpm: Double?
    /// Standard deviation of `driftPpm`.
    package var driftSigmaPpm: Double?
    /// Requests sent.
    package var requests = 0
    /// Exchanges that the estimate uses.
    package var accepted = 0
    /// Exchanges that were stalled and tell little.
    package var gated = 0
    /// Datagrams that were not believed.
    package var ignored = 0
    /// Times that the estimator started anew because a clock was stepped.
    package var resets = 0
    /// Who stamped the last exchange that counted, on the way to the leader and back: at each the end that knows it
    /// less closely.
    package var (forwardStamps, returnStamps) = (StampKind.user, StampKind.user)
    /// Exchanges that did not count, because their stamps were of another kind than the others'.
    package var unusualStamps = 0
}
