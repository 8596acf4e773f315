/// What is known of a line: value and slope at one x, with their covariance. Nanoseconds, slopes as plain ratios.
struct LineState: Sendable, Equatable {
    var x: Double
    var value: Double
    var slope: Double
    var valueVariance: Double
    var covariance: Double
    var slopeVariance: Double

    /// The same line at another x; the slope has wandered by `wander` (variance of the ratio a nanosecond).
    func moved(to newX: Double, wander: Double) -> LineState {
        precondition(wander >= 0, "a variance only grows with time")
        let span = newX - x
        let length = abs(span)
        var moved = self
        moved.x = newX
        moved.value = value + slope * span
        moved.valueVariance =
            valueVariance + 2 * covariance * span + slopeVariance * span * span
            + wander * length * length * length / 3
        moved.covariance = covariance + slopeVariance * span + wander * length * span / 2
        moved.slopeVariance = slopeVariance + wander * length
        return moved
    }
}
