/// A track as a controller names it to a player.
package struct ControlInput: Sendable, Equatable, Codable {
    /// An absolute path or an address.
    package var uri: String
    /// From a list.
    package var title: String?
    /// From a list.
    package var artist: String?
    /// From a list.
    package var album: String?
    /// Where in the file it begins: a count and how many of them make a second.
    package var start: [Int64]?
    /// Where in the file it ends, likewise.
    package var end: [Int64]?

    /// A track.
    package init(
        uri: String, title: String? = nil, artist: String? = nil, album: String? = nil, start: [Int64]? = nil,
        end: [Int64]? = nil
    ) {
        self.uri = uri
        self.title = title
        self.artist = artist
        self.album = album
        self.start = start
        self.end = end
    }
}
