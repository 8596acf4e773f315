import TuttiCore

/// Whom a member asks once, to hear who is there and where their time comes from: who is to be asked, and whose answer
/// is awaited.
struct ProbeQueue<Address: Hashable & Sendable>: Sendable {
    private var probes: [ParentProbe<Address>] = []
    /// Who is to be probed as soon as possible, and since when.
    private var (waiting, waitingSince): ([Address], HostTime?) = ([], nil)
    /// When the next in turn is probed; nil while nobody is.
    var nextTurn: HostTime?
    /// Which one was the last in turn.
    private var turn = 0

    /// When somebody is to be probed; nil when nobody is.
    var deadline: HostTime? { [nextTurn, waitingSince].compactMap(\.self).min() }

    /// Nobody is to be probed, and no answer counts.
    mutating func forget() { (probes, waiting, waitingSince, nextTurn) = ([], [], nil, nil) }

    /// Has these asked once, as soon as possible.
    mutating func add(_ addresses: [Address], now: HostTime) {
        let new = addresses.filter { !waiting.contains($0) }
        guard !new.isEmpty else { return }
        waiting += new
        waitingSince = waitingSince ?? now
    }

    /// The next of `peers` in turn that meets a condition.
    mutating func advance(in peers: [Address], where condition: (Address) -> Bool) -> Address? {
        for _ in peers {
            turn = (turn + 1) % peers.count
            if condition(peers[turn]) { return peers[turn] }
        }
        return nil
    }

    /// Who is to be asked now.
    mutating func takeWaiting() -> Address? {
        precondition(waiting.isEmpty == (waitingSince == nil), "who waits has waited since a time")
        guard !waiting.isEmpty else { return nil }
        defer { if waiting.isEmpty { waitingSince = nil } }
        return waiting.removeFirst()
    }

    /// A request is about to be sent.
    mutating func begin(_ probe: ParentProbe<Address>, now: HostTime) {
        probes.removeAll { now.nanoseconds(since: $0.sentAt) > ParentProbe<Address>.timeout }
        if probes.count >= ParentProbe<Address>.capacity { probes.removeFirst() }
        precondition(probes.count < ParentProbe<Address>.capacity, "the oldest probe has made room")
        probes.append(probe)
    }

    /// It went out: under which key the socket will report its stamp, and the time just before the send.
    mutating func sent(clientID: UInt64, key: UInt32, userTime: HostTime) {
        guard let index = probes.lastIndex(where: { $0.follower.clientID == clientID }) else { return }
        probes[index].follower.sent(key: key, userTime: userTime)
    }

    /// Whether a request of this client awaits an answer.
    func awaits(clientID: UInt64) -> Bool { probes.contains { $0.follower.clientID == clientID } }

    /// Takes an answer to it: the probe that it ends, if it is good.
    mutating func received(
        _ bytes: [UInt8], clientID: UInt64, at arrival: HostTime, stamp: StampKind, now: HostTime
    ) -> ParentProbe<Address>? {
        guard let index = probes.firstIndex(where: { $0.follower.clientID == clientID }) else { return nil }
        // Held for its better stamp, which nobody waits for here.
        let outcome = probes[index].follower.received(bytes, at: arrival, stamp: stamp, now: now)
        if case .ignored = outcome { return nil }
        return probes.remove(at: index)
    }
}
