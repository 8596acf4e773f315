import TuttiCore
import TuttiHost

/// Who has asked for the time lately.
struct RecentAskers {
    private var times: [SocketAddress: HostTime] = [:]

    /// Addresses that are remembered at most: a flood from invented ones must not fill the memory.
    private static let memory = 256

    mutating func note(_ address: SocketAddress, now: HostTime) {
        if times[address] == nil, times.count >= Self.memory, let oldest = times.min(by: { $0.value < $1.value }) {
            times[oldest.key] = nil
        }
        times[address] = now
    }

    /// The hosts that have asked since `time`, in a fixed order.
    func hosts(since time: HostTime) -> [String] {
        Set(times.filter { $0.value >= time }.keys.map(\.host)).sorted()
    }
}
