/// Where the floor of one direction's delays lies when the slope is known.
struct EdgePosterior: Sendable {
    /// Logarithm of the probability of the delays, up to a constant that does not depend on the slope.
    var logEvidence = 0.0
    /// Mean of the floor at the centre, nanoseconds.
    var mean = 0.0
    /// Its variance.
    var variance = 0.0
}
