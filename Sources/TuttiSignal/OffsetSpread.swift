/// The spread of a set of offsets, microseconds of their absolute value.
package struct OffsetSpread: Sendable, Codable, Equatable {
    package var count: Int
    package var median: Double
    package var p95: Double
    package var p99: Double
    package var max: Double

    /// The spread of signed offsets; all zero for none.
    package init(_ offsets: [Double]) {
        let sorted = offsets.map(abs).sorted()
        func quantile(_ share: Double) -> Double {
            guard !sorted.isEmpty else { return 0 }
            return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        }
        count = sorted.count
        median = quantile(0.5)
        p95 = quantile(0.95)
        p99 = quantile(0.99)
        max = sorted.last ?? 0
    }
}
