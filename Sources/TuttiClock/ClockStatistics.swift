/// What a follower can say of itself, for status reports.
package struct ClockStatistics: Sendable, Equatable {
    /// The fastest round trip of the last minute, microseconds; nil before the first exchange.
    package var rttUs: Double?
    /// Standard deviation of the offset now, microseconds; grows while the leader is silent. Nil without an estimate.
    package var sigmaUs: Double?
    /// The group clock's rate against this host's, parts per million.
    package var driftPpm: Double?
    /// Standard deviation of `driftPpm`.
    package var driftSigmaPpm: Double?
    /// Requests sent.
    package var requests = 0
    /// Exchanges that reached the filter.
    package var accepted = 0
    /// Exchanges too slow for the filter; they still bound the envelopes.
    package var gated = 0
    /// Datagrams that were not believed.
    package var ignored = 0
    /// Times that the estimator opened up because the clocks changed.
    package var resets = 0
    /// Both ends and both directions of the last exchange had kernel stamps.
    package var usesKernelStamps = false
}
