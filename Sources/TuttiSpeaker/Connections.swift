import NIOCore
import TuttiCore
import TuttiHost
import TuttiTrust
import TuttiWire

/// The open connections by number, and those that are over but for the other side's hanging up.
struct Connections {
    private static let maximumClosing = 64

    private var channels: [ConnectionID: any Channel] = [:]
    private var next: UInt64 = 1
    private var closing = 0
    private var credentials: [ConnectionID: Credential] = [:]
    private var handshakes = HandshakeLimit()
    /// Lines about those who were not let in, and about connections that are over.
    private var (knocks, ends) = (RateLimit(perSecond: 0.1, atOnce: 1), RateLimit(perSecond: 1, atOnce: 60))

    subscript(connection: ConnectionID) -> (any Channel)? { channels[connection] }

    mutating func add(_ channel: any Channel) -> ConnectionID {
        let id = ConnectionID(rawValue: next)
        next += 1
        channels[id] = channel
        return id
    }

    /// A connection that is none of the session's any more.
    mutating func remove(_ connection: ConnectionID) -> (any Channel)? {
        credentials[connection] = nil
        return channels.removeValue(forKey: connection)
    }

    /// Who is at the other end, as its certificates say.
    func credential(of connection: ConnectionID) -> Credential? { credentials[connection] }

    mutating func setCredential(_ credential: Credential, of connection: ConnectionID) {
        if channels[connection] != nil { credentials[connection] = credential }
    }

    /// Whether a handshake with the host at the other end of `channel` may begin.
    mutating func allowsHandshake(on channel: any Channel, now: HostTime) -> Bool {
        handshakes.allows(channel.remoteAddress?.ipAddress ?? "", now: now)
    }

    /// Whether somebody who is not let in is worth a line in the log.
    mutating func isKnockNews(now: HostTime) -> Bool { knocks.allows(now: now) }

    /// Whether the end of a connection is worth a line: whoever comes and goes all the time must not fill the log.
    mutating func isEndNews(now: HostTime) -> Bool { ends.allows(now: now) }

    /// The other end, for the log.
    func peer(of connection: ConnectionID) -> String {
        guard let address = channels[connection]?.remoteAddress, let host = address.ipAddress else { return "gone" }
        return SocketAddress(host: host, port: UInt16(clamping: address.port ?? 0))?.description ?? host
    }

    /// The address of the other end.
    func host(of connection: ConnectionID) -> String? { channels[connection]?.remoteAddress?.ipAddress }

    /// Whether one more may wait for the other side to hang up, which counts then. Whoever comes again and again to be
    /// sent away is not waited for.
    mutating func beginClosing() -> Bool {
        guard closing < Self.maximumClosing else { return false }
        closing += 1
        return true
    }

    mutating func endClosing() { closing -= 1 }
}
