/// Where a server listens, as options and settings have it.
package enum ListenAddress {
    /// Reads `ADDRESS:PORT` or `[IPV6]:PORT`; nil for what is neither.
    package static func parse(_ text: String) -> (address: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var address = text[..<colon]
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = address.dropFirst().dropLast()
        } else if address.contains(":") {
            return nil
        }
        return address.isEmpty ? nil : (String(address), Int(port))
    }

    /// Whether only this host can reach an address.
    package static func isLocal(_ address: String) -> Bool {
        address == "localhost" || address == "::1"
            || address.hasPrefix("127.") && address.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
    }
}
