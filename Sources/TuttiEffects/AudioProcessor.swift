/// A step of sound processing with its memory: made once for a rate, a number of channels and a longest call.
///
/// A processor changes planes of 32-bit floats in place. It is set for good when it is made: other settings are another
/// processor, which takes over by a crossfade. The same input gives the same output, however it is cut into calls.
///
/// RT: `process` and `reset` allocate nothing, take no lock, and count no references; they are called through
/// `Unmanaged` by one thread at a time. Subclasses hold their memory by plain pointers and free it in `deinit`.
open class AudioProcessor {
    /// What a processor is made for.
    public struct Shape: Sendable, Hashable {
        /// Frames a second, 8 000 … 192 000 (four times that inside some processors).
        public var sampleRate: Int
        /// Channels, 1 … 8.
        public var channelCount: Int
        /// The most frames of one call, 1 … 8 192.
        public var maximumFrames: Int

        /// A shape.
        public init(sampleRate: Int, channelCount: Int, maximumFrames: Int) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.maximumFrames = maximumFrames
        }
    }

    /// What comes in.
    public let shape: Shape
    /// Channels that go out; differs from the shape's for matrices only. Planes hold the larger of both numbers.
    public let outputChannelCount: Int

    /// A processor.
    public init(_ shape: Shape, outputChannelCount: Int? = nil) {
        self.shape = shape
        self.outputChannelCount = outputChannelCount ?? shape.channelCount
    }

    /// Frames that the output is later than the input.
    open var latency: Int { 0 }

    /// Frames after the end of the input in which there may be sound above −100 dB; `Int.max` where it never ends.
    open var tail: Int { 0 }

    /// Processes `frames` frames in place.
    ///
    /// - Precondition: `frames` is at most `shape.maximumFrames`.
    open func process(_ planes: Planes, frames: Int) {}

    /// Forgets everything heard, as if new.
    open func reset() {}
}
