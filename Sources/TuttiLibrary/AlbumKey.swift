/// What tells an album of a root from others.
///
/// An album is the tracks with one album title and one album artist. Tracks of a compilation belong together whoever
/// plays them. Without such tags, those in one folder do, whose folders of single discs count as one.
struct AlbumKey {
    /// How it is kept.
    let text: String

    private static let various: Set<String> = ["various artists", "various", "va", "v.a.", "verschiedene"]

    /// - Parameter folder: the path of the track's folder.
    init(album: String, albumArtist: String?, isCompilation: Bool, folder: String) {
        let artist = albumArtist.map(LibraryText.key)
        let owner =
            if let artist, !Self.various.contains(artist) {
                "a" + artist
            } else if isCompilation || artist != nil {
                "v"
            } else {
                "f" + Self.albumFolder(folder)
            }
        text = LibraryText.key(album) + "\u{1F}" + owner
    }

    /// Whether an album of this key is a compilation by its tags.
    static func isCompilation(_ key: String) -> Bool { key.hasSuffix("\u{1F}v") }

    /// The path of an album's folder without one of a single disc, such as `CD 2` or `Disc 1 - Live`.
    static func albumFolder(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return isDisc(path[...]) ? "" : path }
        return isDisc(path[path.index(after: slash)...]) ? String(path[..<slash]) : path
    }

    private static func isDisc(_ name: Substring) -> Bool {
        let name = name.lowercased()
        guard let word = ["cd", "disc", "disk", "dvd"].first(where: name.hasPrefix) else { return false }
        let rest = name.dropFirst(word.count).drop { " _-.".contains($0) }
        guard let first = rest.first, first.isASCII, first.isNumber else { return false }
        let end = rest.drop { $0.isASCII && $0.isNumber }
        return end.first.map { " _-.:([".contains($0) } ?? true
    }
}
