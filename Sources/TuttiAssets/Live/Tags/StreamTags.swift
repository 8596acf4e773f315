import Synchronization

/// What a station or a live source says that it plays.
package struct StreamTags: Sendable, Equatable {
    package var title: String?
    package var artist: String?
    package var album: String?
    /// The path of a file with its picture.
    package var artwork: String?

    package init(title: String? = nil, artist: String? = nil, album: String? = nil, artwork: String? = nil) {
        (self.title, self.artist, self.album, self.artwork) = (title, artist, album, artwork)
    }
}

/// What live sources say that they play, by what is read of them. The service writes it, players look it up.
package final class StreamTagBoard: Sendable {
    private let tags = Mutex<[LiveAddress.Source: StreamTags]>([:])

    package init() {}

    /// What an input says; nil where it says nothing, or is no live one.
    package func tags(of uri: String) -> StreamTags? {
        guard LiveAddress.isOne(uri), let address = try? LiveAddress(uri) else { return nil }
        return self[address.source]
    }

    /// What a source says.
    package subscript(source: LiveAddress.Source) -> StreamTags? {
        get { tags.withLock { $0[source] } }
        set { tags.withLock { $0[source] = newValue } }
    }
}
