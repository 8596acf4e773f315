/// How often something that was measured was up to each of several bounds.
package struct MetricsHistogram: Sendable, Equatable {
    /// Upper bounds of the buckets, rising, in the figure's unit.
    package let bounds: [Double]
    /// How often it was in each bucket; the last one is for what is above all bounds.
    package let counts: [Int]
    /// All that was measured, added up.
    package let sum: Double

    /// - Parameters:
    ///   - bounds: rising.
    ///   - counts: one more than there are bounds.
    package init(bounds: [Double], counts: [Int], sum: Double) {
        precondition(counts.count == bounds.count + 1, "a histogram has a bucket above its bounds")
        (self.bounds, self.counts, self.sum) = (bounds, counts, sum)
    }

    /// How often it was measured.
    package var count: Int { counts.reduce(0, +) }

    /// How often it was at most so much; the last bound is infinite.
    var cumulative: [(bound: Double, count: Int)] {
        var sum = 0
        return zip(bounds + [.infinity], counts).map { bound, count in
            sum += count
            return (bound, sum)
        }
    }
}
