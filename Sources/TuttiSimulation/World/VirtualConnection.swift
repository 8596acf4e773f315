import NIOCore
import TuttiRooms
import TuttiSender

/// A connection between two processes: two streams of bytes that come whole and in order, late where the network is
/// bad, and wait where it is cut.
final class VirtualConnection: @unchecked Sendable {
    /// What travels.
    enum Parcel {
        case bytes([UInt8])
        /// Nothing follows.
        case end
    }

    /// What the kernel at one end knows of what was sent there.
    struct Trips {
        /// Bytes that have arrived, and that are on their way.
        var (arrived, underway) = (0, 0)
        /// Nanoseconds of the last round trips, and of the quickest.
        var (last, least): (Int64, Int64) = (0, .max)

        /// So many bytes are answered after a round trip of so long.
        mutating func take(_ bytes: Int, after time: Int64) {
            (arrived, underway) = (arrived + bytes, underway - bytes)
            last = arrived == bytes ? time : last + (time - last) / 4
            least = min(least, time)
        }
    }

    /// One direction.
    private struct Stream {
        var trips = Trips()
        /// Bytes a second that are sent at most.
        var pace = LinkPace.usualMost
        var waiting: [Parcel] = []
        /// Whether what waits is looked at again later.
        var isResting = false
        var backoff = VirtualConnection.firstBackoff
        /// Until when what was sent before is being sent, and when it is there.
        var (busyUntil, lastDue): (Int64, Int64) = (0, 0)
    }

    private static let firstBackoff: Int64 = 200_000_000
    private static let longestBackoff: Int64 = 120_000_000_000
    /// Bytes on their way at most: what a kernel's congestion window comes to where queues are short.
    private static let window = 192 << 10

    private let network: VirtualNetwork
    private let hosts: [Int]
    private let addresses: [String]
    private let segment: Int
    private var streams = [Stream(), Stream()]
    private(set) var ends: [VirtualChannel?] = [nil, nil]
    /// How many bytes on a wire each byte of a packet stands for.
    var weight = 1

    /// - Parameters:
    ///   - hosts: the one that asked, and the one that listens.
    ///   - segment: bytes of a segment, at most.
    init(_ network: VirtualNetwork, hosts: [Int], segment: Int) {
        self.network = network
        self.hosts = hosts
        self.segment = segment
        addresses = hosts.map { network.ports[$0].address }
    }

    func attach(_ channel: VirtualChannel, at end: Int) { ends[end] = channel }

    func trips(of end: Int) -> Trips { streams[end].trips }

    /// The address of an end.
    func address(of end: Int) -> String { addresses[end] }

    /// Has an end send so many bytes a second at most.
    func setPace(_ pace: Double, of end: Int) { streams[end].pace = pace }

    /// Sends from an end.
    func send(_ parcel: Parcel, from end: Int) {
        streams[end].waiting.append(parcel)
        if !streams[end].isResting { drain(end) }
    }

    private func drain(_ end: Int) {
        let (from, to) = (hosts[end], hosts[1 - end])
        while streams[end].trips.underway < Self.window, let parcel = next(end) {
            var size = 1
            if case .bytes(let bytes) = parcel { size = bytes.count * weight }
            let start = network.agenda.now
            // Nothing is on the wire before its time: datagrams would queue behind what has not been sent.
            guard streams[end].busyUntil <= start else { return rest(end, until: streams[end].busyUntil) }
            let isStale =
                network.ports[from].address != addresses[end] || network.ports[to].address != addresses[1 - end]
            guard !isStale,
                let due = network.transmit(bytes: size, from: from, to: to, after: start, segment: segment)
            else { return retry(end) }
            streams[end].waiting.removeFirst()
            streams[end].backoff = Self.firstBackoff
            streams[end].busyUntil = start + Int64(Double(size) * 1e9 / streams[end].pace)
            streams[end].lastDue = max(streams[end].lastDue, due)
            streams[end].trips.underway += size
            ends[end]?.departed()
            network.agenda.at(streams[end].lastDue) { [self] in deliver(parcel, size, from: end, since: start) }
        }
    }

    /// What is sent next: as much of what waits as a kernel sends in one go, a millisecond's worth and no less than two
    /// segments.
    private func next(_ end: Int) -> Parcel? {
        guard case .bytes(let bytes)? = streams[end].waiting.first else { return streams[end].waiting.first }
        let most = max(1, max(2 * segment, Int(streams[end].pace / 1000)) / weight)
        guard bytes.count > most else { return .bytes(bytes) }
        streams[end].waiting[0] = .bytes(Array(bytes[..<most]))
        streams[end].waiting.insert(.bytes(Array(bytes[most...])), at: 1)
        return streams[end].waiting[0]
    }

    private func retry(_ end: Int) {
        let delay = streams[end].backoff
        streams[end].backoff = min(2 * delay, Self.longestBackoff)
        rest(end, until: network.agenda.now + delay)
    }

    private func rest(_ end: Int, until time: Int64) {
        streams[end].isResting = true
        network.agenda.at(time) { [self] in
            streams[end].isResting = false
            // Nobody is there any more who would send it again.
            guard ends[0]?.isGone != true || ends[1]?.isGone != true else { return }
            drain(end)
        }
    }

    private func deliver(_ parcel: Parcel, _ size: Int, from end: Int, since start: Int64) {
        let back = network.leastDelay(from: hosts[1 - end], to: hosts[end])
        streams[end].trips.take(size, after: network.agenda.now - start + back)
        if case .bytes(let bytes) = parcel {
            ends[end]?.left(bytes.count)
            if !streams[end].isResting { drain(end) }
            if ends[1 - end]?.isGone ?? true { refuse(end) }
        }
        ends[1 - end]?.arrive(parcel)
    }

    /// Something has come to an end that nobody has any more: the kernel there says so (RST).
    private func refuse(_ end: Int) {
        let now = network.agenda.now
        guard let due = network.transmit(bytes: 0, from: hosts[1 - end], to: hosts[end], after: now) else { return }
        network.agenda.at(due) { [self] in ends[end]?.arrive(.end) }
    }
}
