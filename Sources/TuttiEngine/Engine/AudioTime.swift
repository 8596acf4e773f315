/// A position in frames on the time of a node, a player or an engine.
public struct AudioTime: Sendable, Hashable {
    /// Frames since the beginning.
    public let sampleTime: Int64
    /// Frames a second.
    public let sampleRate: Int

    /// A position.
    public init(sampleTime: Int64, sampleRate: Int) {
        self.sampleTime = sampleTime
        self.sampleRate = sampleRate
    }

    /// Seconds since the beginning.
    public var seconds: Double { Double(sampleTime) / Double(sampleRate) }
}
