package import TuttiCore

/// Which of several clocks hosts agree on that meet.
package enum SharedClock {
    /// The clock that most know; of two that as many know, the one of the smaller number. All that see the same choose
    /// the same.
    ///
    /// - Parameter known: the clock of each host that knows one.
    package static func best(of known: some Sequence<TimescaleID>) -> TimescaleID? {
        var counts: [TimescaleID: Int] = [:]
        for timescale in known { counts[timescale, default: 0] += 1 }
        return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}
