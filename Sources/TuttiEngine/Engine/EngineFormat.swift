/// What sound is like between two nodes: 32-bit floats, one plane for each channel, after AVAudioFormat's standard format.
public struct EngineFormat: Sendable, Hashable, CustomStringConvertible {
    /// What an engine can process.
    public enum Limits {
        /// Frames a second.
        public static let sampleRates = 8_000...192_000
        /// Channels.
        public static let channelCounts = 1...8
    }

    /// Frames a second.
    public let sampleRate: Int
    /// Channels.
    public let channelCount: Int

    /// A format. One outside `Limits` is refused where it is used.
    public init(sampleRate: Int, channelCount: Int = 2) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Whether an engine can process it.
    public var isValid: Bool {
        Limits.sampleRates.contains(sampleRate) && Limits.channelCounts.contains(channelCount)
    }

    /// Whether an engine can make one from the other: any rate, and channels that are the same or mono and stereo.
    public func canConvert(to other: EngineFormat) -> Bool {
        channelCount == other.channelCount || (channelCount <= 2 && other.channelCount <= 2)
    }

    /// Rate and channels in words.
    public var description: String { "\(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")" }
}
