import Synchronization

/// How often the sound was how far from its place since the speaker started, by its own belief.
///
/// Guard: one render thread writes, any thread reads; all words are atomic. A reader may see a measurement in its bucket
/// and not yet in the sum.
package struct ErrorHistogram: ~Copyable, Sendable {
    /// Upper bounds of all buckets but the last, in ns.
    private let limits: InlineArray<13, Double> = [
        1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7,
    ]
    private let buckets = InlineArray<14, Atomic<Int>> { _ in Atomic(0) }
    private let total = Atomic<Int>(0)

    /// More than any error that is measured, in ns: an hour.
    private static let most = 3.6e12

    /// Nothing was measured.
    package init() {}

    /// The sound was so late, in ns; early where that is negative. RT.
    func count(_ lateness: Double) {
        let distance = lateness.magnitude
        guard distance < Self.most else { return }
        var bucket = 0
        while bucket < limits.count, limits[bucket] < distance { bucket += 1 }
        buckets[bucket].wrappingAdd(1, ordering: .relaxed)
        total.wrappingAdd(Int(distance), ordering: .relaxed)
    }

    /// Upper bounds of all buckets but the last, in seconds.
    package var bounds: [Double] { limits.indices.map { limits[$0] / 1e9 } }

    /// How often it was in each bucket.
    package var counts: [Int] { buckets.indices.map { buckets[$0].load(ordering: .relaxed) } }

    /// All distances added up, in seconds.
    package var sum: Double { Double(total.load(ordering: .relaxed)) / 1e9 }
}
