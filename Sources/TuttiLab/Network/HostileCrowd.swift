import Glibc
import TuttiHost

/// Connections to one speaker that mean no good: so many at a time, and each that is closed is opened again.
package struct HostileCrowd: Sendable {
    /// What a connection does.
    package enum Kind: CaseIterable, Sendable {
        /// It says nothing.
        case silent
        /// It begins a handshake, and does not go on.
        case halfHandshake
        /// It says what means nothing.
        case garbage
        /// It says who it is in the clear.
        case clearHello
        /// It begins a handshake, a byte at a time.
        case slow
    }

    /// What came of it.
    package struct Figures: Sendable {
        /// Connections that were made.
        package var opened = 0
        /// Those of them that the speaker closed.
        package var closed = 0
    }

    /// Connections at a time, as many of each kind.
    package var count: Int
    /// What a sender says first: of a handshake, and in the clear.
    package var clientHello: [UInt8]
    package var clearHello: [UInt8]

    /// Nanoseconds until a closed connection is opened again, and between two bytes of a slow one.
    private static let (pause, byteInterval) = (Int64(500_000_000), Int64(100_000_000))

    package init(_ count: Int, clientHello: [UInt8], clearHello: [UInt8]) {
        (self.count, self.clientHello, self.clearHello) = (count, clientHello, clearHello)
    }

    private struct Connection {
        let kind: Kind
        var descriptor: Int32 = -1
        var next: Int64 = 0
        /// Bytes said; nil before the connection stands.
        var said: Int?
    }

    /// Begins on a host of a lab, against a speaker on another.
    package func begin(
        on host: String, of hosts: LabHosts, against target: String, port: UInt16, seconds: Double
    ) throws(LabError) -> HostErrand<Figures> {
        OpenFiles.allowAll()
        let address = try hosts.address(of: target)
        return HostErrand(in: hosts.namespace(of: host)) { () throws(LabError) -> Figures in
            run(to: address, port: port, seconds: seconds)
        }
    }

    private func run(to address: String, port: UInt16, seconds: Double) -> Figures {
        var peer = sockaddr_in()
        peer.sin_family = sa_family_t(AF_INET)
        peer.sin_port = port.bigEndian
        peer.sin_addr.s_addr = inet_addr(address)
        var figures = Figures()
        var connections = (0..<count).map { Connection(kind: Kind.allCases[$0 % Kind.allCases.count]) }
        defer { for connection in connections where connection.descriptor >= 0 { close(connection.descriptor) } }
        let end = MonotonicRaw.now() + Int64(seconds * 1e9)
        while MonotonicRaw.now() < end {
            let now = MonotonicRaw.now()
            for index in connections.indices where connections[index].descriptor < 0 && connections[index].next <= now {
                connections[index].descriptor = Self.connect(to: peer)
                if connections[index].descriptor < 0 { connections[index].next = now + Self.pause }
            }
            var wanted = connections.map { connection in
                pollfd(
                    fd: connection.descriptor, events: Int16(connection.said == nil ? POLLIN | POLLOUT : POLLIN),
                    revents: 0)
            }
            _ = Glibc.poll(&wanted, nfds_t(wanted.count), 10)
            for index in connections.indices where connections[index].descriptor >= 0 {
                look(&connections[index], Int32(wanted[index].revents), &figures)
            }
        }
        return figures
    }

    private func look(_ connection: inout Connection, _ events: Int32, _ figures: inout Figures) {
        let now = MonotonicRaw.now()
        if events & Int32(POLLIN | POLLHUP | POLLERR) != 0 {
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = recv(connection.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count == 0 || count < 0 && errno != EAGAIN {
                close(connection.descriptor)
                if connection.said != nil { figures.closed += 1 }
                connection = Connection(kind: connection.kind, next: now + Self.pause)
                return
            }
        }
        if connection.said == nil, events & Int32(POLLOUT) != 0 {
            figures.opened += 1
            connection.said = 0
            switch connection.kind {
            case .silent, .slow: break
            case .halfHandshake: say(clientHello, on: &connection)
            case .garbage: say((0..<300).map { _ in .random(in: 0x20...0xFF) }, on: &connection)
            case .clearHello: say(clearHello, on: &connection)
            }
        }
        guard connection.kind == .slow, let said = connection.said, said < clientHello.count, connection.next <= now
        else { return }
        connection.next = now + Self.byteInterval
        say([clientHello[said]], on: &connection)
    }

    private func say(_ bytes: [UInt8], on connection: inout Connection) {
        let sent = send(connection.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        connection.said? += max(0, sent)
    }

    /// A socket that is about to be connected; negative where there is none.
    private static func connect(to peer: sockaddr_in) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        let outcome = withUnsafePointer(to: peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard outcome == 0 || errno == EINPROGRESS else {
            close(descriptor)
            return -1
        }
        return descriptor
    }
}
