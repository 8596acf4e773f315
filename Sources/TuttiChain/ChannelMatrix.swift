/// Which input channels are heard in which output channels, and how loud.
public struct ChannelMatrix: Sendable, Hashable {
    /// Linear gains: one row for each output, in it one number for each input; 1 … 8 rows of 1 … 8 numbers.
    public var gains: [[Double]]

    /// A matrix of linear gains.
    public init(_ gains: [[Double]]) { self.gains = gains }

    /// Input channels.
    public var inputCount: Int { gains.first?.count ?? 0 }
    /// Output channels.
    public var outputCount: Int { gains.count }

    /// Both sides as they are.
    public static let stereo = ChannelMatrix([[1, 0], [0, 1]])
    /// The left side in both channels.
    public static let left = ChannelMatrix([[1, 0], [1, 0]])
    /// The right side in both channels.
    public static let right = ChannelMatrix([[0, 1], [0, 1]])
    /// The mean of both sides in both channels.
    public static let mono = ChannelMatrix([[0.5, 0.5], [0.5, 0.5]])
    /// Left and right exchanged.
    public static let swapped = ChannelMatrix([[0, 1], [1, 0]])
}
