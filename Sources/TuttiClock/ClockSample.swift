/// One finished exchange, in nanoseconds relative to the estimator's anchors.
struct ClockSample: Sendable {
    /// Host time of the request's departure.
    var sentAt: Double
    /// Host time of the reply's arrival.
    var receivedAt: Double
    /// t2 − t1: the offset plus the delay towards the leader.
    var forward: Double
    /// t4 − t3: the delay back minus the offset.
    var backward: Double

    /// Delay there and back.
    var roundTrip: Double { forward + backward }
    /// Host time half-way.
    var middle: Double { (sentAt + receivedAt) / 2 }
    /// The offset if both delays were equal; the true one lies within half the round trip of it.
    var offset: Double { (forward - backward) / 2 }
}
