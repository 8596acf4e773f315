/// What the texts of subtitles look like: the header of an ASS script, which names its styles and the size of its canvas.
///
/// The texts of a `SubtitleCue` refer to it, and are sent to screens with it.
public struct SubtitleStyle: Sendable, Hashable {
    /// The most bytes of a header.
    public static let maximumBytes = 64 << 10

    /// The script from its beginning to the format line of its events.
    public let header: String

    /// A style; nil for an empty header, one longer than `maximumBytes`, and one with a NUL in it.
    public init?(header: String) {
        guard (1...Self.maximumBytes).contains(header.utf8.count), !header.utf8.contains(0) else { return nil }
        self.header = header
    }
}
