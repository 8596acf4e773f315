/// Where it is read what a live source plays, as the settings have it: `shairport-sync:/PATH`, `lines:/PATH` or
/// `lines:/PATH?listen`.
package struct TagAddress: Sendable, Equatable {
    /// How it is written there.
    package enum Kind: String, Sendable {
        /// As shairport-sync writes its metadata.
        case shairport = "shairport-sync"
        /// Lines of `key=value`; see `TagLines`.
        case lines
    }

    package let kind: Kind
    /// The path of a named pipe, or of a socket.
    package let path: String
    /// Whether a socket is made there that programs connect to.
    package let listens: Bool

    /// What there is, for people.
    package static let allowed = "shairport-sync:/PATH or lines:/PATH, a named pipe, or lines:/PATH?listen, a socket"

    /// Nil for what is no such address.
    package init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), let kind = Kind(rawValue: String(text[..<colon])) else {
            return nil
        }
        var place = text[text.index(after: colon)...]
        let listens = kind == .lines && place.hasSuffix("?listen")
        if listens { place = place.dropLast("?listen".count) }
        guard place.hasPrefix("/"), place.utf8.count > 1, !place.utf8.contains(0), !place.contains("?") else {
            return nil
        }
        (self.kind, path, self.listens) = (kind, String(place), listens)
    }
}
