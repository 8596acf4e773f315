/// What an encoder gives: one packet that a decoder takes whole.
///
/// Over a whole stream the sum of `audibleFrameCount` equals the number of frames that went in.
package struct EncodedPacket: Sendable, Hashable {
    /// The packet.
    package let data: [UInt8]
    /// Frames that the packet decodes to, before trimming.
    package let frameCount: Int
    /// Frames to drop from the front once decoded (the encoder's lookahead).
    package let trimAtStart: Int
    /// Frames to drop from the back once decoded (padding of the last packet).
    package let trimAtEnd: Int

    /// Frames that are heard.
    package var audibleFrameCount: Int { frameCount - trimAtStart - trimAtEnd }
}
