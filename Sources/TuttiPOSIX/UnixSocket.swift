import Glibc

/// A blocking connection to a Unix socket, for programs that ask one thing and end.
package struct UnixSocket: ~Copyable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Connects; nil when nobody listens there.
    package static func connected(to path: String, timeoutSeconds: Int) -> UnixSocket? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard connect(descriptor, to: path) else {
            close(descriptor)
            return nil
        }
        return UnixSocket(descriptor: descriptor)
    }

    private static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    deinit { close(descriptor) }

    /// Sends everything; false when the other side is gone.
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// The next line, without its end; nil at the end of the connection, after the timeout or for an endless line.
    package func line(limit: Int) -> [UInt8]? {
        var line: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while line.count < limit {
            // Looked at first, so that what belongs to the line after stays where it is.
            let seen = recv(descriptor, &chunk, chunk.count, Int32(MSG_PEEK))
            guard seen > 0 else { return nil }
            let end = chunk[..<seen].firstIndex(of: UInt8(ascii: "\n"))
            guard recv(descriptor, &chunk, end.map { $0 + 1 } ?? seen, 0) > 0 else { return nil }
            line += chunk[..<(end ?? seen)]
            if end != nil { return line }
        }
        return nil
    }
}
