import TuttiCore
import TuttiSignal

/// Standard errors of percentiles by the bootstrap: rows of the same length are drawn from the row, stretch by stretch,
/// and it is seen by how much their percentiles differ.
///
/// After H. R. Künsch, "The jackknife and the bootstrap for general stationary observations" (1989).
struct ResampledErrors {
    /// Of the median of |value|.
    private(set) var median = 0.0
    /// Of its 99th percentile.
    private(set) var p99 = 0.0

    /// - Parameters:
    ///   - values: a row in the order of time.
    ///   - drawn: values of a stretch.
    ///   - draws: rows that are drawn; the same ones each time.
    init(_ values: [Double], drawn: Int, draws: Int) {
        guard values.count > drawn else { return }
        var random = SplitMix64(seed: 1)
        var spreads: [OffsetSpread] = []
        for _ in 0..<draws {
            var row: [Double] = []
            row.reserveCapacity(values.count + drawn)
            while row.count < values.count {
                let start = Int.random(in: 0...values.count - drawn, using: &random)
                row += values[start..<start + drawn]
            }
            spreads.append(OffsetSpread(row))
        }
        median = Self.deviation(spreads.map(\.median))
        p99 = Self.deviation(spreads.map(\.p99))
    }

    private static func deviation(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(max(1, values.count))
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, values.count - 1))).squareRoot()
    }
}
