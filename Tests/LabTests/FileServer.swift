import Foundation
import Glibc

/// A web server on loopback that gives one file for every path, whole.
final class FileServer: Sendable {
    let port: UInt16
    private let listener: Int32

    struct SocketFailure: Error {}

    init(file: Data) throws {
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
        let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/flac\r\nContent-Length: \(file.count)\r\n"
        let answer = Array((head + "Connection: close\r\n\r\n").utf8) + [UInt8](file)
        Thread.detachNewThread {
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { return }
                Thread.detachNewThread { Self.serve(answer, to: peer) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ answer: [UInt8], to peer: Int32) {
        defer { close(peer) }
        var request = [UInt8](repeating: 0, count: 8192)
        guard recv(peer, &request, request.count, 0) > 0 else { return }
        var rest = answer[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
