import ArgumentParser
import TuttiHost

/// A link that opens the page signed in. The token is behind `#`, so browsers send it to no server.
struct TokenLink {
    private let base: String

    /// - Parameter url: how people reach the service; nil for what the settings say.
    /// - Returns: nil where only this host reaches it, or nobody knows how others do.
    /// - Throws: `ValidationError` for what is no such address.
    init?(url: String?, _ settings: PlayerSettings) throws {
        if let url {
            guard url.hasPrefix("https://"), url.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "#") })
            else {
                throw ValidationError("\(url): --url takes an address such as https://music.example:7780")
            }
            base = url.hasSuffix("/") ? String(url.dropLast()) : url
            return
        }
        guard let text = try settings.value(SenderSetting.http), let (address, port) = ListenAddress.parse(text),
            let host = Self.host(address)
        else { return nil }
        base = "https://\(host):\(port)"
    }

    /// The link with a token.
    func address(with token: String) -> String { "\(base)/#token=\(token)" }

    /// How others reach what listens at an address.
    private static func host(_ address: String) -> String? {
        if address == "localhost" || address == "::1" || address.hasPrefix("127.") { return nil }
        if ["0.0.0.0", "::"].contains(address) { return HostLink.address }
        return address.contains(":") ? "[\(address)]" : address
    }
}
