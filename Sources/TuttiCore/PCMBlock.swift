/// Decoded audio on its way between a decoder and whatever takes it: interleaved 32-bit floats, full scale ±1.
///
/// Integers of up to 24 bits survive the way through a block bit for bit.
public struct PCMBlock: Sendable, Hashable {
    /// Interleaved samples; `frameCount × channelCount` of them.
    public var samples: [Float]
    /// Interleaved channels; at least 1.
    public let channelCount: Int
    /// Frames a second.
    public let sampleRate: Int

    /// A block of whole frames.
    ///
    /// - Precondition: `samples` holds whole frames and the counts are positive.
    public init(samples: [Float], channelCount: Int, sampleRate: Int) {
        precondition(channelCount > 0 && sampleRate > 0 && samples.count % channelCount == 0, "whole frames only")
        self.samples = samples
        self.channelCount = channelCount
        self.sampleRate = sampleRate
    }

    /// Frames in the block.
    public var frameCount: Int { samples.count / channelCount }
}
