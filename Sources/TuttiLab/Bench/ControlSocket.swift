import Glibc

/// A connection to a player's control socket, for commands without a program's start.
final class ControlSocket {
    private let descriptor: Int32

    /// Connects to the socket at `path`.
    init(path: String) throws(LabError) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            close(descriptor)
            throw .runFailed("\(path) is too long for a socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard outcome == 0 else {
            let reason = errno
            close(descriptor)
            throw .system(call: "connection to \(path)", errno: reason)
        }
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends a line and waits for the one that answers it.
    func ask(_ request: String) throws(LabError) -> [UInt8] {
        let line = Array((request + "\n").utf8)
        guard send(descriptor, line, line.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL)) == line.count else {
            throw .system(call: "request to the player", errno: errno)
        }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while answer.last != UInt8(ascii: "\n") {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { throw .runFailed("the player does not answer \(request)") }
            answer += piece[..<count]
        }
        return answer
    }
}
