import NIOCore
package import TuttiHost
package import TuttiWire

/// The members of a clock as one of them asks for the time.
package struct ClockRoute: Sendable, Equatable {
    /// Whether this speaker leads the clock.
    package let isLeader: Bool
    /// Those before it, the first to be asked at the front.
    package private(set) var parents: [TuttiHost.SocketAddress]
    /// Those after it.
    package private(set) var behind: [TuttiHost.SocketAddress]

    /// The route of the speaker `id`.
    ///
    /// - Parameter peer: the host that the announcement came from; nil where this one has made it.
    package init(_ announcement: ClockAnnouncement, id: String, peer: String?) {
        func address(_ host: String, _ port: UInt16) -> TuttiHost.SocketAddress? {
            Self.address(host, port, peer: peer)
        }
        isLeader = announcement.leaderID == id
        let standIns = announcement.standIns
        // One that is named nowhere stands after all others.
        let place = isLeader ? 0 : standIns.firstIndex { $0.id == id } ?? standIns.count
        let leader = isLeader ? nil : (announcement.leaderHost ?? peer).flatMap { address($0, announcement.leaderPort) }
        parents = [leader].compactMap(\.self) + standIns[..<place].compactMap { address($0.host, $0.port) }
        // The sender may be the only one that knows where some of the others are.
        let sender = peer.flatMap { peer in announcement.senderPort.flatMap { address(peer, $0) } }
        let after = standIns[place...].filter { $0.id != id }
        behind = after.compactMap { address($0.host, $0.port) } + [sender].compactMap(\.self)
    }

    /// A loopback address is the sender's own host, which is elsewhere when the sender is. Names are not looked up:
    /// that could take seconds.
    private static func address(_ host: String, _ port: UInt16, peer: String?) -> TuttiHost.SocketAddress? {
        let isLoopback = host.hasPrefix("127.") || host == "::1"
        let host = isLoopback ? peer ?? host : host
        guard let bare = host.split(separator: "%").first,
            (try? NIOCore.SocketAddress(ipAddress: String(bare), port: Int(port))) != nil
        else { return nil }
        return TuttiHost.SocketAddress(host: host, port: port)
    }
}
