/// One coded picture, with its place on the timeline.
///
/// Buffers are enqueued in the order in which they are decoded, which may be another one than that of their times.
public struct VideoSampleBuffer: Sendable, Hashable {
    /// The most bytes of a picture.
    public static let maximumBytes = 64 << 20
    /// The longest that a picture is shown.
    public static let maximumDuration = MediaTime(frame: 3_600, sampleRate: 1)

    /// What `data` is.
    public let format: VideoFormat
    /// The media time from which on the picture is shown.
    public let presentationTime: MediaTime
    /// How long it is shown; nil for as long as there is no other one.
    public let duration: MediaTime?
    /// Whether decoding can begin with it: it needs no other picture (a sync sample).
    public let isSync: Bool
    /// The coded picture.
    public let data: [UInt8]

    /// A buffer; nil without data or with more than `maximumBytes`, and for a duration that is not positive or longer
    /// than `maximumDuration`.
    public init?(
        format: VideoFormat, presentationTime: MediaTime, duration: MediaTime? = nil, isSync: Bool, data: [UInt8]
    ) {
        guard (1...Self.maximumBytes).contains(data.count) else { return nil }
        if let duration, !duration.isPositive || duration > Self.maximumDuration { return nil }
        self.format = format
        self.presentationTime = presentationTime
        self.duration = duration
        self.isSync = isSync
        self.data = data
    }
}
