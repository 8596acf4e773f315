import TuttiCore

/// How many handshakes are begun: each costs a millisecond of the processor, which strangers must not have at will.
///
/// A bucket for each host and one for all, so that a host that begins many leaves others their share.
struct HandshakeLimit {
    /// A bucket that fills by so many a second, up to so many.
    private struct Bucket {
        var level: Double
        var at: HostTime

        mutating func take(perSecond rate: Double, most: Double, now: HostTime) -> Bool {
            level = min(most, level + Double(max(0, now.nanoseconds(since: at))) * rate * 1e-9)
            at = now
            guard level >= 1 else { return false }
            level -= 1
            return true
        }
    }

    /// Handshakes a second, and at once, of one host and of all.
    private static let (perHost, all) = ((rate: 10.0, most: 20.0), (rate: 40.0, most: 80.0))
    /// Hosts that are remembered.
    private static let memory = 256

    private var hosts: [String: Bucket] = [:]
    private var total: Bucket?

    /// Whether a handshake with this host may begin.
    mutating func allows(_ host: String, now: HostTime) -> Bool {
        if hosts[host] == nil, hosts.count >= Self.memory, let oldest = hosts.min(by: { $0.value.at < $1.value.at }) {
            hosts[oldest.key] = nil
        }
        var bucket = hosts[host] ?? Bucket(level: Self.perHost.most, at: now)
        let isAllowed = bucket.take(perSecond: Self.perHost.rate, most: Self.perHost.most, now: now)
        hosts[host] = bucket
        guard isAllowed else { return false }
        var total = total ?? Bucket(level: Self.all.most, at: now)
        defer { self.total = total }
        return total.take(perSecond: Self.all.rate, most: Self.all.most, now: now)
    }
}
