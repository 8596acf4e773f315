import Foundation

/// How often |offset| is how large: shares of logarithmic classes, ten to a decade.
struct OffsetHistogram {
    /// What is smaller is counted in the first class: below this the measurement itself ends.
    static let smallest = 0.01
    private static let perDecade = 10.0

    private let counts: [Int]
    private let total: Int

    init(_ offsets: [Double]) {
        let places = offsets.map { offset in
            max(0, Int(floor((log10(max(abs(offset), Self.smallest)) - log10(Self.smallest)) * Self.perDecade + 1e-9)))
        }
        var counts = [Int](repeating: 0, count: (places.max() ?? 0) + 1)
        for place in places { counts[place] += 1 }
        self.counts = counts
        total = offsets.count
    }

    /// The outline of its bars: µs, percent of all.
    var outline: [(x: Double, y: Double)] {
        guard total > 0 else { return [] }
        let least = counts.firstIndex { $0 > 0 } ?? 0
        let points = (least..<counts.count).flatMap { index -> [(x: Double, y: Double)] in
            let share = 100 * Double(counts[index]) / Double(total)
            return [(edge(index), share), (edge(index + 1), share)]
        }
        guard let first = points.first, let last = points.last else { return [] }
        return [(first.x, 0)] + points + [(last.x, 0)]
    }

    private func edge(_ index: Int) -> Double { Self.smallest * pow(10, Double(index) / Self.perDecade) }
}
