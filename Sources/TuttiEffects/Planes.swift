/// Memory for the frames of one call of a processor, channel by channel.
///
/// RT: plain pointers; whoever allocated them keeps them until the processors are gone.
public struct Planes {
    /// One pointer for each channel, to as many frames as the processors were made for.
    public let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Channels.
    public let count: Int

    /// Planes at `channels`.
    public init(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, count: Int) {
        self.channels = channels
        self.count = count
    }

    /// The frames of a channel.
    public subscript(channel: Int) -> UnsafeMutablePointer<Float> { channels[channel] }
}
