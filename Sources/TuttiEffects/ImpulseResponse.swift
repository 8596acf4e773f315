/// A system's answer to one sample of full scale, for a convolution.
package struct ImpulseResponse: Sendable, Hashable {
    /// One array for each channel, all of one length: 1 … 524 288 samples, 1 … 8 channels.
    package let channels: [[Float]]
    /// Frames a second.
    package let sampleRate: Int

    /// The most frames of a response.
    package static let maximumFrameCount = 1 << 19

    /// A response; nil when the channels differ in length, or there are too many of them or of their frames.
    package init?(channels: [[Float]], sampleRate: Int) {
        guard let count = channels.first?.count, (1...8).contains(channels.count),
            (1...Self.maximumFrameCount).contains(count), channels.allSatisfy({ $0.count == count }), sampleRate > 0
        else { return nil }
        self.channels = channels
        self.sampleRate = sampleRate
    }
}
