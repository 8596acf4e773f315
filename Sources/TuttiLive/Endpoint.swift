import Glibc

/// Where a stream socket leads to, or waits.
enum Endpoint {
    case unix(String)
    case internet(String, UInt16)

    /// A connection, which does not block from then on.
    func connected(_ milliseconds: Int32) throws(Refusal) -> Int32 {
        try withAddress(isPassive: false) { descriptor, address, length throws(Refusal) in
            if connect(descriptor, address, length) == 0 { return }
            guard errno == EINPROGRESS || errno == EAGAIN else { throw .system }
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, milliseconds) > 0 else { throw Refusal("no answer") }
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { throw .system }
            if code != 0 {
                errno = code
                throw .system
            }
        }
    }

    /// A socket that others connect to.
    func listening() throws(Refusal) -> Int32 {
        try withAddress(isPassive: true) { descriptor, address, length throws(Refusal) in
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            guard bind(descriptor, address, length) == 0, listen(descriptor, 4) == 0 else { throw .system }
        }
    }

    private func withAddress(
        isPassive: Bool, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) throws(Refusal) -> Void
    ) throws(Refusal) -> Int32 {
        switch self {
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
                throw Refusal("its path is too long")
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let descriptor = try Self.socket(AF_UNIX)
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            do throws(Refusal) {
                try Self.rebound(&address) { pointer throws(Refusal) in try body(descriptor, pointer, length) }
            } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        case .internet(let host, let port):
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = isPassive ? AI_PASSIVE : 0
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else {
                throw Refusal("\(host): no such host")
            }
            defer { freeaddrinfo(found) }
            guard let address = found.pointee.ai_addr else { throw Refusal("\(host): no such host") }
            let descriptor = try Self.socket(found.pointee.ai_family)
            do throws(Refusal) {
                try body(descriptor, address, found.pointee.ai_addrlen)
            } catch {
                close(descriptor)
                throw error
            }
            return descriptor
        }
    }

    private static func rebound(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>) throws(Refusal) -> Void
    ) throws(Refusal) {
        var failure: Refusal?
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                do throws(Refusal) { try body(pointer) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    private static func socket(_ family: Int32) throws(Refusal) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(family, type, 0)
        guard descriptor >= 0 else { throw .system }
        return descriptor
    }
}
