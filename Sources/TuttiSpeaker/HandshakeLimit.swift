package import TuttiCore

/// How many handshakes are begun: each costs a millisecond of the processor, which strangers must not have at will.
///
/// A limit for each host and one for all, so that a host that begins many leaves others their share.
package struct HandshakeLimit {
    package init() {}

    /// Hosts that are remembered.
    private static let memory = 256

    private var hosts: [String: RateLimit] = [:]
    private var total = RateLimit(perSecond: 40, atOnce: 80)

    /// Whether a handshake with this host may begin.
    package mutating func allows(_ host: String, now: HostTime) -> Bool {
        if hosts[host] == nil, hosts.count >= Self.memory,
            let oldest = hosts.min(by: { ($0.value.lastAsked ?? now) < ($1.value.lastAsked ?? now) })
        {
            hosts[oldest.key] = nil
        }
        guard hosts[host, default: RateLimit(perSecond: 10, atOnce: 20)].allows(now: now) else { return false }
        return total.allows(now: now)
    }
}
