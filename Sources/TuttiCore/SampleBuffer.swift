/// A run of audio for one span of the programme, PCM or compressed, with its own format.
///
/// Formats may change from buffer to buffer. `frameCount` counts decoded frames before trimming; what is heard lasts
/// `frameCount − trimAtStart − trimAtEnd` frames from `presentationTime`.
public struct SampleBuffer: Sendable, Hashable {
    /// What `data` is.
    public let format: AudioFormat
    /// The media time of the first frame that is heard (after the trim at the start).
    public let presentationTime: MediaTime
    /// Frames that the data decodes to, before trimming; at most `SampleBuffer.maximumFrameCount`.
    public let frameCount: Int
    /// Frames to drop from the front once decoded (encoder delay, pre-roll).
    public let trimAtStart: Int
    /// Frames to drop from the back once decoded (padding).
    public let trimAtEnd: Int
    /// The samples or the packet.
    public let data: [UInt8]
    /// What the decoder hears first, having forgotten everything before; nil when it goes on from the buffer before.
    public let preroll: [PrerollPacket]?

    /// The most frames one buffer may hold.
    public static let maximumFrameCount = 1 << 20

    /// A buffer, or nil when the counts contradict each other or, for PCM, the data's length.
    public init?(
        format: AudioFormat, presentationTime: MediaTime, frameCount: Int, trimAtStart: Int = 0, trimAtEnd: Int = 0,
        data: [UInt8], preroll: [PrerollPacket]? = nil
    ) {
        guard (0...Self.maximumFrameCount).contains(frameCount), trimAtStart >= 0, trimAtEnd >= 0,
            trimAtStart <= frameCount, trimAtEnd <= frameCount - trimAtStart
        else { return nil }
        if let bytesPerFrame = format.bytesPerFrame, data.count != bytesPerFrame * frameCount { return nil }
        self.format = format
        self.presentationTime = presentationTime
        self.frameCount = frameCount
        self.trimAtStart = trimAtStart
        self.trimAtEnd = trimAtEnd
        self.data = data
        self.preroll = preroll
    }

    /// Frames that are heard.
    public var audibleFrameCount: Int { frameCount - trimAtStart - trimAtEnd }

    /// Bytes of the packet and of its pre-roll.
    public var byteCount: Int { (preroll ?? []).reduce(data.count) { $0 + $1.data.count } }

    /// How long the buffer is heard.
    public var duration: MediaTime { MediaTime(frame: Int64(audibleFrameCount), sampleRate: format.sampleRate) }

    /// The span of the programme that the buffer fills.
    public var timeRange: TimeRange { TimeRange(start: presentationTime, duration: duration) }
}
