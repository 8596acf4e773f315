/// What people call music instead of its place, as an input: `station:NAME`, `playlist:NAME`, `album:NAME`,
/// `artist:NAME`, `genre:NAME`, `composer:NAME`, `year:YEAR`, `search:WORDS`, or `input:NAME` for a live source.
package struct InputName: Sendable, Equatable {
    /// What is named.
    package enum Kind: String, Sendable, CaseIterable {
        case station, playlist, input, album, artist, genre, composer, year, search
    }

    package let kind: Kind
    /// The name: neither empty nor blank.
    package let text: String

    /// Reads such an input; nil for a file or an address.
    package init?(_ uri: String) {
        guard let colon = uri.firstIndex(of: ":"), let kind = Kind(rawValue: uri[..<colon].lowercased()) else {
            return nil
        }
        let text = uri[uri.index(after: colon)...].drop { $0 == " " }
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        (self.kind, self.text) = (kind, String(text))
    }
}
