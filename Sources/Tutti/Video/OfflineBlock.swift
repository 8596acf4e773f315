public import TuttiCore

/// What an `OfflineOutput` makes of sound and pictures.
public struct OfflineBlock: Sendable {
    /// The frames of sound: as many as were asked for, or fewer where a picture is lacking or there are many.
    public let sound: PCMBlock
    /// The pictures that are seen from one of these frames on, in order. The last one of an earlier block is seen until
    /// the first of them, or through all of this block.
    public let pictures: [OfflinePicture]
    /// Whether the block ends where a picture has yet to be enqueued.
    public let lacksPictures: Bool
}

/// A picture on the line of an `OfflineOutput`.
public struct OfflinePicture: Sendable {
    /// The picture.
    public let frame: VideoFrame
    /// The frame of the output, as `sampleTime` counts them, from which on it is seen.
    public let sampleTime: Int64
}
