import Glibc

/// Ports on which nobody listens.
enum FreePort {
    /// A port that was free a moment ago, for TCP and UDP.
    static func next() throws -> UInt16 {
        for _ in 0..<20 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            guard let port = bound(descriptor, to: 0) else { continue }
            let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(datagrams) }
            if bound(datagrams, to: port) != nil { return port }
        }
        throw EveningError.noPort
    }

    private static func bound(_ descriptor: Int32, to port: UInt16) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }
}
