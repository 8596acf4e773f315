import Foundation

/// A server on this host that gives out one file, in ranges, or never answers.
final class WebServer: Sendable {
    let port: UInt16
    private let listener: Int32

    struct SocketFailure: Error {}

    /// - Parameter file: what every path below `/ok` gives; other paths give 404; nil for a server that stays silent.
    init(file: [UInt8]?) throws {
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
                guard peer >= 0 else { return }
                if let file { Thread.detachNewThread { Self.serve(file, to: peer) } }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ file: [UInt8], to peer: Int32) {
        defer { close(peer) }
        var request = [UInt8](repeating: 0, count: 8_192)
        let count = recv(peer, &request, request.count, 0)
        let text = String(decoding: request.prefix(max(0, count)), as: UTF8.self)
        var head = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        var body: ArraySlice<UInt8> = []
        if text.hasPrefix("GET /ok") {
            let range = text.components(separatedBy: "\r\nRange: bytes=").dropFirst().first ?? "0-"
            let start = min(Int(range.prefix { $0.isNumber }) ?? 0, file.count)
            body = file[start...]
            head =
                "HTTP/1.1 206 Partial Content\r\nContent-Type: audio/x\r\nAccept-Ranges: bytes\r\nConnection: close\r\n"
                + "Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)\r\nContent-Length: \(body.count)\r\n\r\n"
        }
        var rest = (Array(head.utf8) + body)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}
