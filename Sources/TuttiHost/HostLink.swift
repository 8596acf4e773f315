import Glibc

/// How this host is on the network.
package enum HostLink {
    /// Whether the way to elsewhere is by radio: the interface of the default route is a wireless one. Where there is
    /// no such route nothing is known, and it counts as wired.
    package static var isWireless: Bool {
        guard let table = try? AtomicFile.read("/proc/net/route") else { return false }
        return interface(ofDefaultRoute: String(decoding: table, as: UTF8.self)).map(isWireless) ?? false
    }

    /// This host's own IPv4 address on the way to elsewhere; nil without one.
    package static var address: String? {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Nothing is sent to this address, which is nobody's (RFC 5737).
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), UInt16(9).bigEndian)
        guard inet_pton(AF_INET, "192.0.2.1", &address.sin_addr) == 1 else { return nil }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        guard isKnown, inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The interface of the default route in a table as `/proc/net/route` has it; of several the one that is used
    /// first.
    package static func interface(ofDefaultRoute table: String) -> String? {
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(whereSeparator: \.isWhitespace) }
        let defaults = rows.filter { $0.count > 7 && $0[1] == "00000000" && $0[7] == "00000000" }
        let first = defaults.min { (Int($0[6]) ?? .max) < (Int($1[6]) ?? .max) }
        return first.map { String($0[0]) }
    }

    private static func isWireless(_ interface: String) -> Bool {
        ["wireless", "phy80211"].contains { access("/sys/class/net/\(interface)/\($0)", F_OK) == 0 }
    }
}
