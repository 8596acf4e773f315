public import TuttiCore

/// Decoded sound that a player reads from the beginning to the end, or from any frame on. One player at a time uses it,
/// from any thread but the one that renders.
public protocol AudioFileReading: AnyObject, Sendable {
    /// What `read` gives.
    var format: EngineFormat { get }
    /// Frames from the beginning to the end.
    var length: Int64 { get }

    /// The next frames, at most `frameCount`; none at the end.
    func read(frameCount: Int) throws -> PCMBlock

    /// Reads on at a frame, 0 … `length`.
    func seek(to frame: Int64) throws
}
