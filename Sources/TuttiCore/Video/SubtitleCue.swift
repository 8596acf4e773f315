/// One subtitle, with its place on the timeline.
public struct SubtitleCue: Sendable, Hashable {
    /// The most bytes of a text.
    public static let maximumTextBytes = 16 << 10
    /// The longest that a cue is shown.
    public static let maximumDuration = MediaTime(frame: 86_400, sampleRate: 1)

    /// What is shown.
    public enum Content: Sendable, Hashable {
        /// An event of an ASS script as Matroska stores it, without its times: `ReadOrder, Layer, Style, Name, MarginL,
        /// MarginR, MarginV, Effect, Text`. The script's header is a `SubtitleStyle`.
        case text(String)
        /// A picture of it.
        case image(SubtitleImage)
    }

    /// The media time from which on it is shown.
    public let start: MediaTime
    /// The media time from which on it is not shown any more.
    public let end: MediaTime
    /// What is shown.
    public let content: Content

    /// A cue; nil when it does not end after its start, or is longer than `maximumDuration`, and for a text that is empty,
    /// longer than `maximumTextBytes`, or has a NUL in it.
    public init?(start: MediaTime, end: MediaTime, content: Content) {
        guard start < end, end - start <= Self.maximumDuration else { return nil }
        if case .text(let text) = content {
            guard (1...Self.maximumTextBytes).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
        }
        (self.start, self.end, self.content) = (start, end, content)
    }
}
