package import TuttiCore

/// A packet of an asset as it lies in the medium, and what is heard of it.
package struct AssetPacket: Sendable, Equatable {
    /// The packet; of AIFF's samples the bytes in little-endian order.
    package let data: [UInt8]
    /// Frames that it decodes to.
    package let frameCount: Int
    /// Frames to drop from the front.
    package let trimAtStart: Int
    /// Frames to drop from the back.
    package let trimAtEnd: Int
    /// What a decoder begun anew hears before it; nil when it goes on from the packet before.
    package let preroll: [PrerollPacket]?

    /// Frames that are heard.
    package var audibleFrameCount: Int { frameCount - trimAtStart - trimAtEnd }
}
