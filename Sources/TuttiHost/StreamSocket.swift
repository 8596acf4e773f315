import CLinux
import Glibc
import TuttiCore

/// A TCP connection for programs that ask one thing and end: blocking, with time limits.
package struct StreamSocket: ~Copyable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Connects.
    ///
    /// - Throws: `HostError.system`, with `ECONNREFUSED` where nobody listens and `ETIMEDOUT` after the time.
    package init(_ address: SocketAddress, timeoutNanoseconds: Int64) throws(HostError) {
        let family = address.family == .v4 ? AF_INET : AF_INET6
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .system(action: "create a socket", code: errno) }
        let result = address.withRawAddress(for: address.family) { bytes -> Int32 in
            guard let raw = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return EINVAL }
            return connect(descriptor, raw, socklen_t(bytes.count)) == 0 ? 0 : errno
        }
        var code = result ?? EINVAL
        if code == EINPROGRESS {
            code = ETIMEDOUT
            if Self.wait(descriptor, for: Int16(POLLOUT), nanoseconds: timeoutNanoseconds) {
                var length = socklen_t(MemoryLayout<Int32>.size)
                if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) != 0 { code = errno }
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw .system(action: "connect to \(address)", code: code)
        }
        self.init(descriptor: descriptor)
    }

    /// Who is at the other end; nil once that is gone.
    package var peer: SocketAddress? {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { bytes in
            var length = socklen_t(bytes.count)
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getpeername(descriptor, base, &length) == 0
            else { return nil }
            return SocketAddress(rawBytes: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Sends everything; false when the other side is gone or takes nothing for two seconds.
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                guard Self.wait(descriptor, for: Int16(POLLOUT), nanoseconds: 2_000_000_000) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// What has come: nil after the timeout, empty when the other side is gone.
    package func receive(timeoutNanoseconds: Int64) -> [UInt8]? {
        guard Self.wait(descriptor, for: Int16(POLLIN), nanoseconds: timeoutNanoseconds) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    /// Sends a question, and hands what comes to `read` until that makes an answer of it.
    ///
    /// - Returns: the answer; nil when there was none in time, or the other side went away.
    /// - Throws: what `read` throws.
    package func answer<Answer, Fault: Error>(
        to question: [UInt8], withinNanoseconds patience: Int64, clock: HostClock,
        read: ([UInt8]) throws(Fault) -> Answer?
    ) throws(Fault) -> Answer? {
        guard send(question) else { return nil }
        let deadline = clock.now().advanced(byNanoseconds: patience)
        while true {
            let left = deadline.nanoseconds(since: clock.now())
            guard left > 0, let bytes = receive(timeoutNanoseconds: left), !bytes.isEmpty else { return nil }
            if let answer = try read(bytes) { return answer }
        }
    }

    private static func wait(_ descriptor: Int32, for events: Int16, nanoseconds: Int64) -> Bool {
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        return poll(&request, 1, Int32(clamping: nanoseconds / 1_000_000 + 1)) > 0
    }
}
