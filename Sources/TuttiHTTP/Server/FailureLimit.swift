/// Counts wrong tokens by address. Each address may fail a few times, and then once every few seconds.
package struct FailureLimit: Sendable {
    /// Failures in a row; seconds in which one of them is forgiven; addresses that are remembered.
    package static let (burst, forgiveness, capacity) = (10.0, 6.0, 1_024)

    private struct Count {
        var failures: Double
        var time: Double
    }

    private var counts: [String: Count] = [:]

    package init() {}

    /// Seconds until an address may try again; nil if it may now.
    ///
    /// - Parameter now: seconds of any clock that runs evenly.
    package func wait(for address: String, at now: Double) -> Int? {
        let failures = failures(of: address, at: now)
        guard failures > Self.burst - 1 else { return nil }
        return max(1, Int(((failures - Self.burst + 1) * Self.forgiveness).rounded(.up)))
    }

    /// Counts a failure.
    package mutating func fail(_ address: String, at now: Double) {
        if counts.count >= Self.capacity, counts[address] == nil { forget(at: now) }
        counts[address] = Count(failures: min(failures(of: address, at: now) + 1, Self.burst), time: now)
    }

    private func failures(of address: String, at now: Double) -> Double {
        guard let count = counts[address] else { return 0 }
        return max(0, count.failures - (now - count.time) / Self.forgiveness)
    }

    /// Makes room: by those that are forgiven, or else by the one that failed the longest time ago.
    private mutating func forget(at now: Double) {
        counts = counts.filter { failures(of: $0.key, at: now) > 0 }
        guard counts.count >= Self.capacity, let oldest = counts.min(by: { $0.value.time < $1.value.time }) else {
            return
        }
        counts[oldest.key] = nil
    }
}
