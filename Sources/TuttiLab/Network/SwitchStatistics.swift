/// What the switch did so far.
package struct SwitchStatistics: Sendable, Equatable, Codable {
    package var framesForwarded: UInt64 = 0
    package var bytesForwarded: UInt64 = 0
    /// Lost because a profile says so.
    package var framesLost: UInt64 = 0
    /// Dropped because memory or an interface was not there: should stay 0.
    package var framesDropped: UInt64 = 0
    /// How late the precise frames left, by microsecond; the last bucket holds all that were later.
    package var latenessMicroseconds: [UInt32] = Array(repeating: 0, count: 1024)
    /// Processor time of the switch's thread, in nanoseconds.
    package var processorNanoseconds: Int64 = 0
    /// Time spent spinning before precise frames, in nanoseconds.
    package var spunNanoseconds: Int64 = 0

    package init() {}

    /// The lateness in microseconds that the given part (0…1) of the precise frames did not exceed; nil without frames.
    package func lateness(quantile: Double) -> Int? {
        let total = latenessMicroseconds.reduce(0) { $0 + UInt64($1) }
        guard total > 0 else { return nil }
        let wanted = UInt64((quantile * Double(total)).rounded(.up))
        var seen: UInt64 = 0
        for (microseconds, count) in latenessMicroseconds.enumerated() {
            seen += UInt64(count)
            if seen >= wanted { return microseconds + 1 }
        }
        return latenessMicroseconds.count
    }
}

extension SwitchStatistics {
    /// One line for people.
    package var summary: String {
        let quantiles = [0.5, 0.99].map { lateness(quantile: $0).map(String.init) ?? "-" }
        return """
            forwarded \(framesForwarded) frames (\(bytesForwarded / 1000) kB), lost \(framesLost), dropped \(framesDropped); \
            precise frames late by p50 \(quantiles[0]) µs, p99 \(quantiles[1]) µs; processor \
            \(processorNanoseconds / 1_000_000) ms, of it spun \(spunNanoseconds / 1_000_000) ms
            """
    }
}
