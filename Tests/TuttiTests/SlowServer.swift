import Foundation
import Glibc
import Synchronization

/// A server on this host that gives a file's beginning at once, and the rest when it is told to, or never.
final class SlowServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let gate = DispatchSemaphore(value: 0)
    private let isEnding = Mutex(false)

    struct SocketFailure: Error {}

    /// - Parameter share: how much of the file is given at once.
    init(file: Data, share: Double) throws {
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
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\nContent-Length: \(file.count)\r\nConnection: close\r\n\r\n"
        let first = Int(Double(file.count) * share)
        Thread.detachNewThread { [gate, weak self] in
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { return }
            defer { close(peer) }
            var request = [UInt8](repeating: 0, count: 8_192)
            guard recv(peer, &request, request.count, 0) > 0 else { return }
            Self.send(Array(head.utf8) + file[..<first], to: peer)
            gate.wait()
            if self?.isEnding.withLock({ $0 }) == false { Self.send([UInt8](file[first...]), to: peer) }
        }
    }

    /// Gives the rest.
    func goOn() { gate.signal() }

    /// Hangs up in the middle, and is not to be had any more.
    func end() {
        isEnding.withLock { $0 = true }
        shutdown(listener, Int32(SHUT_RDWR))
        gate.signal()
    }

    deinit {
        gate.signal()
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func send(_ bytes: [UInt8], to peer: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Glibc.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
