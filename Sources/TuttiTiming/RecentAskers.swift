import TuttiCore
import TuttiHost

/// Who has asked for the time lately.
struct RecentAskers {
    private var visits: [SocketAddress: (last: HostTime, count: Int)] = [:]

    /// Addresses that are remembered at most: a flood from invented ones must not fill the memory.
    private static let memory = 256

    mutating func note(_ address: SocketAddress, now: HostTime) {
        if visits[address] == nil, visits.count >= Self.memory,
            let oldest = visits.min(by: { $0.value.last < $1.value.last })
        {
            visits[oldest.key] = nil
        }
        visits[address] = (now, (visits[address]?.count ?? 0) + 1)
    }

    /// The hosts that have asked since `time`, in a fixed order.
    func hosts(since time: HostTime) -> [String] {
        Set(visits.filter { $0.value.last >= time }.keys.map(\.host)).sorted()
    }

    /// How often each host has asked, as far as that is remembered.
    var counts: [String: Int] {
        var counts: [String: Int] = [:]
        for (address, visit) in visits { counts[address.host, default: 0] += visit.count }
        return counts
    }
}
