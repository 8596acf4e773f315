import Glibc

/// How this host is on the network.
package enum HostLink {
    /// Whether the way to elsewhere is by radio: the interface of the default route is a wireless one. Where there is
    /// no such route nothing is known, and it counts as wired.
    package static var isWireless: Bool {
        guard let table = try? AtomicFile.read("/proc/net/route") else { return false }
        return interface(ofDefaultRoute: String(decoding: table, as: UTF8.self)).map(isWireless) ?? false
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
