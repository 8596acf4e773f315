/// What one direction of a port does to the frames that cross it. Delays in nanoseconds.
package struct LinkDirection: Sendable, Equatable {
    /// Times in which nothing passes: one in each period, at a place and of a length that the seed decides.
    package struct Stall: Sendable, Equatable {
        package var period: Int64
        package var shortest: Int64
        package var longest: Int64

        package init(period: Int64, shortest: Int64, longest: Int64) {
            self.period = period
            self.shortest = shortest
            self.longest = longest
        }
    }

    /// The least delay.
    package var base: Int64
    /// Mean of the exponentially distributed delay on top of it.
    package var jitter: Int64
    /// Probability that a frame is lost, 0…1.
    package var loss: Double
    package var stall: Stall?
    /// False: nothing passes at all.
    package var passes: Bool

    package init(base: Int64, jitter: Int64 = 0, loss: Double = 0, stall: Stall? = nil, passes: Bool = true) {
        self.base = base
        self.jitter = jitter
        self.loss = loss
        self.stall = stall
        self.passes = passes
    }
}
