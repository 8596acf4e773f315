import Foundation
import Glibc
import Synchronization

/// Somebody between a sender and a speaker on this machine, who passes on what they say and keeps what the sender says.
final class TestProxy: Sendable {
    /// The port where the sender finds it.
    let port: UInt16
    private let listener: Int32
    private let speaker: UInt16
    private let sessions = Mutex<[[UInt8]]>([])

    /// - Parameter speaker: the speaker's port. Nil when there is no socket.
    init?(to speaker: UInt16) {
        self.speaker = speaker
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        listener = descriptor
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { return nil }
        Thread.detachNewThread { self.serve() }
    }

    /// What senders have said on each connection.
    var said: [[UInt8]] { sessions.withLock { $0 } }

    /// Takes no more connections.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func serve() {
        while true {
            let sender = accept(listener, nil, nil)
            guard sender >= 0 else { break }
            let onward = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(speaker)
            let isThere = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(onward, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isThere else {
                close(sender)
                close(onward)
                continue
            }
            let number = sessions.withLock { sessions in
                sessions.append([])
                return sessions.count - 1
            }
            Thread.detachNewThread { self.pass(from: onward, to: sender) { _ in } }
            Thread.detachNewThread {
                self.pass(from: sender, to: onward) { bytes in self.sessions.withLock { $0[number] += bytes } }
            }
        }
        close(listener)
    }

    private func pass(from: Int32, to: Int32, _ keep: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(from, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            keep(Array(buffer[..<count]))
            guard send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        // Each direction ends by itself; the descriptors go with the process, for the other one may still use them.
        shutdown(to, Int32(SHUT_WR))
        shutdown(from, Int32(SHUT_RD))
    }
}
