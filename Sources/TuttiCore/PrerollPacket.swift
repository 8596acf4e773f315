/// A packet that a decoder hears before another one without anybody else hearing it, so that it stands where it must.
public struct PrerollPacket: Sendable, Hashable {
    /// Frames that the data decodes to; at most `SampleBuffer.maximumFrameCount`.
    public let frameCount: Int
    /// The packet.
    public let data: [UInt8]

    /// A packet, or nil when the count is out of its range.
    public init?(frameCount: Int, data: [UInt8]) {
        guard (0...SampleBuffer.maximumFrameCount).contains(frameCount) else { return nil }
        self.frameCount = frameCount
        self.data = data
    }
}
