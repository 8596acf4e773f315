/// How well each of several trackers predicts exchanges: logarithms of the odds that it is right, against the best
/// one's.
package struct TrackerScores: Sendable {
    /// How far behind the best a score may be, and for how long that may be so, in nanoseconds, before the tracker goes
    /// on from the best one's line. None falls so far behind that it could not catch up in seconds.
    package static let (least, despair) = (-20.0, 10e9)
    /// How long predictions count, nanoseconds.
    private static let memory = 60e9

    /// The odds before anything is predicted.
    private let odds: [Double]
    private var scores: [Double]
    /// Since when each has been as far behind as can be.
    private var hopelessSince: [Double?]
    private var leader = 0

    package init(odds: [Double]) {
        precondition(!odds.isEmpty, "one tracker is the best")
        (self.odds, scores) = (odds, odds)
        hopelessSince = odds.map { _ in nil }
    }

    package subscript(index: Int) -> Double { scores[index] }

    /// The tracker that predicts best.
    package var best: Int { scores.indices.max { scores[$0] < scores[$1] } ?? 0 }

    /// Nothing has been predicted.
    package mutating func forget() {
        scores = odds
        for index in hopelessSince.indices { hopelessSince[index] = nil }
    }

    /// A tracker has predicted an exchange.
    ///
    /// - Parameters:
    ///   - score: how well; nil where it does not count.
    ///   - elapsed: nanoseconds since the exchange before.
    package mutating func add(_ score: Double?, of index: Int, elapsed: Double) {
        let kept = 1 - min(elapsed / Self.memory, 1)
        scores[index] = score.map { odds[index] + (scores[index] - odds[index]) * kept + $0 } ?? -.infinity
    }

    /// All have predicted it.
    ///
    /// - Returns: the best one, if it is another than before.
    package mutating func settle() -> Int? {
        let most = scores.max() ?? 0
        for index in scores.indices { scores[index] = max(scores[index] - most, Self.least) }
        let best = best
        defer { leader = best }
        return best == leader ? nil : best
    }

    /// Those that have been wrong for long at `x`. They count again as at first.
    package mutating func takeHopeless(at x: Double) -> [Int] {
        var hopeless: [Int] = []
        for index in scores.indices {
            guard scores[index] <= Self.least else {
                hopelessSince[index] = nil
                continue
            }
            let since = hopelessSince[index] ?? x
            hopelessSince[index] = since
            guard x - since > Self.despair else { continue }
            hopelessSince[index] = nil
            scores[index] = odds[index]
            hopeless.append(index)
        }
        return hopeless
    }
}
