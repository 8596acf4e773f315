/// How far from their instants pictures came to light, as a histogram of bounded size.
package struct LightErrors: Sendable, Equatable {
    /// What a bin covers, in ns; the last one all that is larger.
    private static let binWidth: Int64 = 100_000
    private static let binCount = 1_000
    /// Magnitudes.
    private var bins = [UInt32](repeating: 0, count: Self.binCount)
    private var sum: Double = 0
    /// Errors counted.
    package private(set) var count = 0
    /// The largest magnitude, in ns.
    package private(set) var maximum: Int64 = 0

    /// No error yet.
    package init() {}

    /// The mean, in ns; positive where pictures come late.
    package var mean: Double { count == 0 ? 0 : sum / Double(count) }

    /// Counts an error in ns: positive where a picture came late.
    package mutating func add(_ error: Int64) {
        let magnitude = error == .min ? .max : abs(error)
        let bin = Int(min(magnitude / Self.binWidth, Int64(Self.binCount - 1)))
        bins[bin] = bins[bin] == .max ? .max : bins[bin] + 1
        sum += Double(error)
        count += 1
        maximum = max(maximum, magnitude)
    }

    /// The magnitude that a part of all errors does not exceed, in ns, to 0.1 ms above; `maximum` beyond 100 ms, 0 of none.
    package func quantile(_ part: Double) -> Int64 {
        let wanted = min(max(part, 0), 1) * Double(count)
        var seen = 0.0
        for (index, number) in bins.enumerated() where number > 0 {
            seen += Double(number)
            if seen >= wanted, index < Self.binCount - 1 {
                return min(Int64(index + 1) * Self.binWidth, maximum)
            }
        }
        return maximum
    }
}
