public import TuttiCore
public import TuttiEffects

/// Frames in memory: one plane of 32-bit floats for each channel, after AVAudioPCMBuffer.
///
/// Guard of `@unchecked Sendable`: whoever fills it does so before it is scheduled, and leaves it alone until the
/// player has consumed it; a buffer that is rendered to belongs to the thread that renders.
public final class PCMBuffer: @unchecked Sendable {
    /// The most frames of a buffer: 2²⁸, an hour and a half at 48 kHz.
    public static let maximumFrameCapacity = 1 << 28

    /// Rate and channels.
    public let format: EngineFormat
    /// Frames that fit.
    public let frameCapacity: Int
    /// The memory of all channels, of `frameCapacity` frames each. The buffer has to be kept while it is used.
    public let planes: Planes
    private let memory: PlaneMemory
    private let length: UnsafeMutablePointer<Int>

    /// An empty buffer with silence behind it.
    ///
    /// - Throws: `invalidFormat`, or `invalidFrameCount` for a capacity outside 1 … `maximumFrameCapacity`.
    public convenience init(format: EngineFormat, frameCapacity: Int) throws(AudioEngineError) {
        try self.init(unfilled: format, frameCapacity: frameCapacity)
        for channel in 0..<format.channelCount { planes[channel].update(repeating: 0, count: frameCapacity) }
    }

    /// A buffer with whatever was in memory.
    private init(unfilled format: EngineFormat, frameCapacity: Int) throws(AudioEngineError) {
        guard format.isValid else { throw .invalidFormat(format) }
        guard (1...Self.maximumFrameCapacity).contains(frameCapacity) else {
            throw .invalidFrameCount(frameCapacity, maximum: Self.maximumFrameCapacity)
        }
        self.format = format
        self.frameCapacity = frameCapacity
        memory = PlaneMemory(unfilledChannels: format.channelCount, frames: frameCapacity)
        planes = memory.planes
        length = .allocate(capacity: 1)
        length.initialize(to: 0)
    }

    /// A buffer with the frames of a block.
    ///
    /// - Throws: `invalidFormat` or `invalidFrameCount` for blocks that no buffer can hold.
    public convenience init(_ block: PCMBlock) throws(AudioEngineError) {
        let (channels, frames) = (block.channelCount, block.frameCount)
        try self.init(
            unfilled: EngineFormat(sampleRate: block.sampleRate, channelCount: channels), frameCapacity: frames)
        frameLength = frames
        block.samples.withUnsafeBufferPointer { samples in
            guard let from = samples.baseAddress else { return }
            if channels == 2 { return planes.take(stereo: from, frames: frames) }
            for channel in 0..<channels {
                for frame in 0..<frames { planes[channel][frame] = from[frame * channels + channel] }
            }
        }
    }

    deinit { length.deallocate() }

    /// Frames that are there, 0 … `frameCapacity`; other numbers are held inside.
    public var frameLength: Int {
        get { length.pointee }
        set { length.pointee = min(max(0, newValue), frameCapacity) }
    }

    /// The frames of a channel that are there. The buffer has to be kept while they are used.
    ///
    /// - Precondition: `index` is one of the format's channels.
    public func channel(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
        precondition((0..<format.channelCount).contains(index), "a buffer has the channels of its format")
        return UnsafeMutableBufferPointer(start: planes[index], count: frameLength)
    }

    /// The same frames, interleaved.
    public var block: PCMBlock {
        let (channels, frames) = (format.channelCount, frameLength)
        var samples = [Float](repeating: 0, count: channels * frames)
        for channel in 0..<channels {
            for frame in 0..<frames { samples[frame * channels + channel] = planes[channel][frame] }
        }
        return PCMBlock(samples: samples, channelCount: channels, sampleRate: format.sampleRate)
    }
}
