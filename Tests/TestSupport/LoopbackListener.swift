import Foundation
import Glibc
import Synchronization

/// A TCP port on loopback that takes connections, each on a thread of its own.
package final class LoopbackListener: Sendable {
    /// Where it listens.
    package let port: UInt16
    private let listener: Int32
    private let isStopped = Atomic(false)

    /// There is no port to be had.
    package struct SocketFailure: Error {}

    /// - Parameter serve: is given each connection's descriptor, and closes it.
    package init(serve: @escaping @Sendable (Int32) -> Void) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isReady else { throw SocketFailure() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else {
                    if errno == EINTR { continue }
                    // Here and nowhere else: the number may be that of another test's socket at once.
                    close(listener)
                    return
                }
                Thread.detachNewThread { serve(peer) }
            }
        }
    }

    deinit { stop() }

    /// Takes no more connections.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// What a client asks for, as far as it comes at once; nil when it goes without a word.
    package static func request(from peer: Int32) -> String? {
        var request = [UInt8](repeating: 0, count: 8_192)
        let count = recv(peer, &request, request.count, 0)
        return count > 0 ? String(decoding: request.prefix(count), as: UTF8.self) : nil
    }

    /// Sends everything, or as much as the client takes.
    package static func send(_ bytes: some Sequence<UInt8>, to peer: Int32) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
