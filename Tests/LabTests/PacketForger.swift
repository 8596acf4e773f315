import Glibc

/// Sends what looks like timing packets and is none: right magic, version and length, everything else at random; and
/// some that are cut short.
final class PacketForger {
    private var state: UInt64
    private let socket: Int32
    /// Datagrams that the kernel took.
    private(set) var sent = 0

    init(seed: UInt64) {
        state = seed
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    }

    deinit { close(socket) }

    /// Sends `count` datagrams to a port of this host.
    func send(_ count: Int, to port: UInt16) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        for _ in 0..<count {
            let bytes = packet()
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == bytes.count { sent += 1 }
        }
    }

    private func packet() -> [UInt8] {
        var bytes = (0..<64).map { _ in next() }
        bytes[0] = 0x54
        bytes[1] = 0xC7
        bytes[2] = next() & 1 == 0 ? 0x11 : 0x12
        return next() < 16 ? Array(bytes.prefix(Int(next() & 63))) : bytes
    }

    private func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}
