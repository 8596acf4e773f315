/// Sound that left a card without a break and along one timebase.
package struct PlayedSpan: Sendable, Hashable, Codable {
    /// When its first frame played, in nanoseconds of true time since the beginning.
    package var at: Int64
    /// Names the programme.
    package var stream: UInt32
    /// Where in the programme, in nanoseconds.
    package var media: MediaSpan
    /// The song that played, and where in it `media` begins, in nanoseconds; a span ends where the song does.
    package var song: String
    package var place: Int64
    /// The queue entry that the song belongs to; nil where it cannot be told.
    package var entry: UInt64?

    /// Sound.
    package init(at: Int64, stream: UInt32, media: MediaSpan, song: String, place: Int64, entry: UInt64? = nil) {
        self.at = at
        self.stream = stream
        self.media = media
        self.song = song
        self.place = place
        self.entry = entry
    }
}
