import Glibc
package import TuttiClock

extension RenderHistory {
    /// How late the sound was at one time: not one number but a normal distribution of them, in ns.
    package struct Deviation: Sendable, Equatable {
        package var mean: Double
        package var sigma: Double

        package init(mean: Double, sigma: Double) {
            self.mean = mean
            self.sigma = sigma
        }

        /// The probability of a magnitude of at most `limit`.
        func probability(within limit: Double) -> Double {
            guard sigma > 0 else { return abs(mean) <= limit ? 1 : 0 }
            let scale = 1 / (sigma * 2.0.squareRoot())
            return (erf((limit - mean) * scale) + erf((limit + mean) * scale)) / 2
        }
    }

    /// The magnitude in ns that `share` of all that `deviations` hold is within; nil without any.
    package static func percentile(_ share: Double, of deviations: [Deviation]) -> Double? {
        guard !deviations.isEmpty else { return nil }
        var low = 0.0
        var high = deviations.reduce(1) { max($0, abs($1.mean) + 5 * $1.sigma) }
        // To a thousandth of the largest.
        for _ in 0..<16 where high - low > 1 {
            let middle = (low + high) / 2
            let inside = deviations.reduce(0) { $0 + $1.probability(within: middle) }
            if inside < share * Double(deviations.count) { low = middle } else { high = middle }
        }
        return high
    }

    /// The 99th percentile of the distance between this room and another, in ns, over the last minute of sound; nil
    /// before the first.
    ///
    /// The other room is taken to be off, to either side, by what this one usually is: the magnitude that 68 % are
    /// within. For two rooms of equal, steady noise that is their distance; where this one was far off for a while it
    /// is that.
    package func pairDistance(clock: ClockEstimate?) -> Double? {
        let own = deviations(clock: clock)
        guard let usual = Self.percentile(0.68, of: own) else { return nil }
        let apart = own.flatMap { room in
            [-usual, usual].map { Deviation(mean: room.mean + $0, sigma: room.sigma) }
        }
        return Self.percentile(0.99, of: apart)
    }
}
