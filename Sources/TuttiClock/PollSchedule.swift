/// When the next request is due: a burst to start with, then as rarely as the drift is well known.
struct PollSchedule: Sendable {
    private var sent = 0

    /// Nanoseconds from one request to the next.
    ///
    /// - Parameters:
    ///   - driftSigma: standard deviation of the drift, a plain ratio; nil without an estimate.
    ///   - passingShare: share of recent exchanges that were answered and passed the gate.
    func interval(driftSigma: Double?, passingShare: Double) -> Int64 {
        if sent < 32 { return 10_000_000 }
        if sent < 92 { return 100_000_000 }
        // Nobody answers: there is nothing to be gained from asking often.
        if passingShare < 0.005 { return 1_000_000_000 }
        if passingShare < 0.15 { return 125_000_000 }
        if let driftSigma, driftSigma < 1e-8 { return 1_000_000_000 }
        return 250_000_000
    }

    mutating func noteSent() { sent = min(sent + 1, 92) }
    /// Starts the burst again, as after a stepped clock.
    mutating func restart() { sent = 0 }
}
