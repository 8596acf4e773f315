import Glibc

/// The maximum time interval error (MTIE) of an offset: by how much it moves at most within any interval of a length.
package struct TimeIntervalError: Sendable {
    private let offsets: [TimedOffset]

    /// - Parameter offsets: in the order of time.
    package init(_ offsets: [TimedOffset]) {
        self.offsets = offsets
    }

    /// The largest difference, in µs, of two offsets that are at most `seconds` apart.
    package func maximum(within seconds: Double) -> Double {
        // Candidates for the window's least and largest value, by index; each list's first one is it.
        var least = IndexWindow()
        var largest = IndexWindow()
        var worst = 0.0
        for index in offsets.indices {
            let value = offsets[index].microseconds
            // Windows lie on a grid of whole samples: half a millisecond more takes care of rounding.
            let oldest = offsets[index].seconds - seconds - 0.0005
            least.append(index) { offsets[$0].microseconds >= value }
            largest.append(index) { offsets[$0].microseconds <= value }
            least.drop { offsets[$0].seconds < oldest }
            largest.drop { offsets[$0].seconds < oldest }
            guard let low = least.first, let high = largest.first else { continue }
            worst = max(worst, offsets[high].microseconds - offsets[low].microseconds)
        }
        return worst
    }

    /// Intervals from 0.1 s to the length of the offsets, eight to a decade, each with its error.
    package func curve() -> [(seconds: Double, microseconds: Double)] {
        guard let first = offsets.first, let last = offsets.last, last.seconds > first.seconds else { return [] }
        return (0...64).map { 0.1 * pow(10, Double($0) / 8) }
            .prefix { $0 <= last.seconds - first.seconds }
            .map { ($0, maximum(within: $0)) }
    }

    /// Indices whose values rise or fall from the first to the last.
    private struct IndexWindow {
        private var indices: [Int] = []
        private var head = 0

        var first: Int? { head < indices.count ? indices[head] : nil }

        /// Adds an index after removing those at the end that it makes useless.
        mutating func append(_ index: Int, removing isUseless: (Int) -> Bool) {
            while indices.count > head, let last = indices.last, isUseless(last) { indices.removeLast() }
            indices.append(index)
        }

        mutating func drop(while isOld: (Int) -> Bool) {
            while let first, isOld(first) { head += 1 }
        }
    }
}
