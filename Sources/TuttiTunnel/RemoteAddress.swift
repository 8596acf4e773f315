import Glibc

/// Where the service of another host is served over HTTP.
package struct RemoteAddress: Sendable, Hashable {
    /// The port, if none is named.
    package static let usualPort = 7780

    /// A name or a numeric address, without brackets.
    package let host: String
    package let port: Int
    /// Whether it is spoken to in the clear: this host itself, unless told otherwise.
    package let isPlain: Bool

    /// Reads `HOST`, `HOST:PORT`, `ADDRESS` and `[IPV6]:PORT`, also behind `https://`, or `http://` for this host
    /// itself; nil for what is none of them.
    package init?(_ address: String) {
        let scheme = ["https://", "http://"].first { address.hasPrefix($0) } ?? ""
        var text = address.dropFirst(scheme.count)
        if !scheme.isEmpty, text.hasSuffix("/") { text.removeLast() }
        var (host, port) = (text, Self.usualPort)
        let isBare = text.count { $0 == ":" } > 1 && !text.hasPrefix("[")
        if !isBare, let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else { return nil }
            (host, port) = (text[..<colon], Int(number))
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let isName = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        guard (1...253).contains(host.utf8.count), isName || Self.isNumeric(String(host)) else { return nil }
        (self.host, self.port) = (host.lowercased(), port)
        let isLoopback =
            self.host == "localhost" || host == "::1" || host.hasPrefix("127.") && Self.isNumeric(String(host))
        isPlain = isLoopback && scheme != "https://"
        if scheme == "http://", !isPlain { return nil }
    }

    /// The name that certificates are for; nil for a numeric address.
    var serverName: String? { Self.isNumeric(host) ? nil : host }

    private static func isNumeric(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
    }
}

extension RemoteAddress: CustomStringConvertible {
    /// `HOST:PORT`, as `init` reads it.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
