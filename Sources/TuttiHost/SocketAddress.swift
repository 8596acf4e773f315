import Glibc

/// An IPv4 or IPv6 address with a port. An IPv4 address that a dual-stack socket shows as `::ffff:a.b.c.d` counts as
/// IPv4.
package struct SocketAddress: Sendable, Hashable {
    /// Which protocol.
    package enum Family: Sendable, Hashable {
        /// IPv4: the low 32 bits of `low` hold the address.
        case v4
        /// IPv6.
        case v6
    }

    /// The protocol.
    package let family: Family
    /// The port, in host order.
    package let port: UInt16
    /// The interface of a link-local IPv6 address, else 0.
    package let scope: UInt32
    private let high: UInt64
    private let low: UInt64

    private init(v4 address: UInt32, port: UInt16) {
        self.init(family: .v4, high: 0, low: UInt64(address), scope: 0, port: port)
    }

    private init(family: Family, high: UInt64, low: UInt64, scope: UInt32, port: UInt16) {
        self.family = family
        self.high = high
        self.low = low
        self.scope = scope
        self.port = port
    }

    /// The address of `host`: numeric ("10.0.0.7", "fe80::1%eth0") or a name, which asks the resolver and may take
    /// seconds. IPv4 is preferred where a name has both. Nil when it leads nowhere.
    package init?(host: String, port: UInt16) {
        guard let first = try? Self.resolve(host: host, port: port).first else { return nil }
        self = first
    }

    /// A numeric address; nil for a name, which is not looked up.
    package init?(numericHost host: String, port: UInt16) {
        guard let first = try? Self.resolve(host: host, port: port, flags: AI_NUMERICHOST).first else { return nil }
        self = first
    }

    /// All addresses of `host`, IPv4 first.
    ///
    /// - Throws: `HostError.unresolvable`.
    package static func resolve(host: String, port: UInt16) throws(HostError) -> [SocketAddress] {
        try resolve(host: host, port: port, flags: 0)
    }

    private static func resolve(host: String, port: UInt16, flags: Int32) throws(HostError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | flags
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw .unresolvable(host: host, reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let raw = entry.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: raw, count: Int(entry.ai_addrlen))
                if let address = SocketAddress(rawBytes: bytes), !found.contains(address) { found.append(address) }
            }
            next = entry.ai_next
        }
        guard !found.isEmpty else { throw .unresolvable(host: host, reason: "no IPv4 or IPv6 address") }
        return found.filter { $0.family == .v4 } + found.filter { $0.family == .v6 }
    }

    /// The address in the bytes of a `sockaddr_in` or `sockaddr_in6`; nil for others.
    package init?(rawBytes: UnsafeRawBufferPointer) {
        guard rawBytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(rawBytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where rawBytes.count >= MemoryLayout<sockaddr_in>.size:
            let raw = rawBytes.loadUnaligned(as: sockaddr_in.self)
            self.init(v4: UInt32(bigEndian: raw.sin_addr.s_addr), port: UInt16(bigEndian: raw.sin_port))
        case AF_INET6 where rawBytes.count >= MemoryLayout<sockaddr_in6>.size:
            let raw = rawBytes.loadUnaligned(as: sockaddr_in6.self)
            let (high, low) = withUnsafeBytes(of: raw.sin6_addr) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            let port = UInt16(bigEndian: raw.sin6_port)
            if high == 0, low >> 32 == 0xFFFF {
                self.init(v4: UInt32(truncatingIfNeeded: low), port: port)
            } else {
                self.init(family: .v6, high: high, low: low, scope: raw.sin6_scope_id, port: port)
            }
        default: return nil
        }
    }

    /// The same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        SocketAddress(family: family, high: high, low: low, scope: scope, port: port)
    }

    /// Runs `body` with the bytes of a `sockaddr` for a socket of protocol `socketFamily` (an IPv4 address is mapped
    /// for an IPv6 socket); nil when such a socket cannot reach the address.
    package func withRawAddress<Result>(
        for socketFamily: Family, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        switch (socketFamily, family) {
        case (.v4, .v6): return nil
        case (.v4, .v4):
            var raw = sockaddr_in()
            raw.sin_family = sa_family_t(AF_INET)
            raw.sin_port = port.bigEndian
            raw.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
            return withUnsafeBytes(of: &raw) { body($0) }
        case (.v6, _):
            var raw = sockaddr_in6()
            raw.sin6_family = sa_family_t(AF_INET6)
            raw.sin6_port = port.bigEndian
            raw.sin6_scope_id = scope
            let words = (high.bigEndian, (family == .v4 ? low | 0xFFFF_0000_0000 : low).bigEndian)
            withUnsafeMutableBytes(of: &raw.sin6_addr) { target in
                withUnsafeBytes(of: words) { target.copyMemory(from: $0) }
            }
            return withUnsafeBytes(of: &raw) { body($0) }
        }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The numeric address without the port, with "%scope" for a link-local one.
    package var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + 1)
        switch family {
        case .v4:
            var raw = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
            inet_ntop(AF_INET, &raw, &text, socklen_t(INET6_ADDRSTRLEN))
        case .v6:
            var words = (high.bigEndian, low.bigEndian)
            inet_ntop(AF_INET6, &words, &text, socklen_t(INET6_ADDRSTRLEN))
        }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self) + (scope == 0 ? "" : "%\(scope)")
    }

    /// "10.0.0.7:7700" or "[fe80::1%2]:7700".
    package var description: String { family == .v4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
