/// A rate error as it was last known.
package struct RememberedRate: Codable, Sendable, Equatable {
    /// Parts per million.
    package var ppm: Double
    /// Its standard deviation, in ppm.
    package var sigma: Double

    /// Whether both are numbers that a clock may have.
    package var isPlausible: Bool { ppm.isFinite && abs(ppm) <= 500 && sigma.isFinite && sigma >= 0 }

    /// A rate error of `ppm` with the standard deviation `sigma`.
    package init(ppm: Double, sigma: Double) {
        self.ppm = ppm
        self.sigma = sigma
    }
}
