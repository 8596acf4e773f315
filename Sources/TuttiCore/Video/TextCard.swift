/// What plays, as a text on a screen.
package struct TextCard: Sendable, Hashable {
    /// The largest line.
    package let title: String
    package let artist: String?
    package let album: String?

    /// A card. Texts may come from anywhere; blank ones are left out.
    package init(title: String, artist: String? = nil, album: String? = nil) {
        (self.title, self.artist, self.album) = (title, artist, album)
    }
}
