import NIOCore
import TuttiHost
import TuttiWire

/// The open connections by number, and those that are over but for the other side's hanging up.
struct Connections {
    private static let maximumClosing = 64

    private var channels: [ConnectionID: any Channel] = [:]
    private var next: UInt64 = 1
    private var closing = 0

    subscript(connection: ConnectionID) -> (any Channel)? { channels[connection] }

    mutating func add(_ channel: any Channel) -> ConnectionID {
        let id = ConnectionID(rawValue: next)
        next += 1
        channels[id] = channel
        return id
    }

    /// A connection that is none of the session's any more.
    mutating func remove(_ connection: ConnectionID) -> (any Channel)? { channels.removeValue(forKey: connection) }

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
