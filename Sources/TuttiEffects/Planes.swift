/// Memory for the frames of one call of a processor, channel by channel.
///
/// RT: plain pointers; whoever allocated them keeps them until the processors are gone.
package struct Planes {
    /// One pointer for each channel, to as many frames as the processors were made for.
    package let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Channels.
    package let count: Int

    /// Planes at `channels`.
    package init(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, count: Int) {
        self.channels = channels
        self.count = count
    }

    /// The frames of a channel.
    package subscript(channel: Int) -> UnsafeMutablePointer<Float> { channels[channel] }
}
