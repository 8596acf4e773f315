/// To which peers datagrams go with a class of service (DSCP), as they should: some routers lose those that have one.
///
/// Where nothing comes back for a while, the class is left out, and put back the next time. Where something comes back,
/// answers have the class of the questions, so both sides find out together.
package struct ServiceClasses<Peer: Hashable & Sendable>: Sendable {
    /// Datagrams in a row without anything coming back after which it is tried otherwise.
    private static var patience: Int { 8 }
    /// Peers that are remembered: whoever asks is one.
    private static var mostPeers: Int { 512 }

    private struct State {
        var isMarked = true
        var unanswered = 0
    }

    private var peers: [Peer: State] = [:]

    /// Nobody is known.
    package init() {}

    /// Peers that are remembered.
    package var count: Int { peers.count }

    /// A datagram goes to `peer`: whether with a class.
    package mutating func marksNext(to peer: Peer) -> Bool {
        if peers.count >= Self.mostPeers { peers.removeAll() }
        var state = peers[peer] ?? State()
        if state.unanswered >= Self.patience { state = State(isMarked: !state.isMarked) }
        state.unanswered += 1
        peers[peer] = state
        return state.isMarked
    }

    /// A datagram came from `peer`, with a class or without.
    package mutating func received(from peer: Peer, isMarked: Bool) {
        // Who has a class, and to whom nothing is on its way, is what everybody is taken for.
        if isMarked, peers[peer] == nil { return }
        if peers.count >= Self.mostPeers { peers.removeAll() }
        peers[peer] = State(isMarked: isMarked)
    }
}
