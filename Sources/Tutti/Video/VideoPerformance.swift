/// How well a video renderer has done since it was made.
public struct VideoPerformance: Sendable, Hashable {
    /// Pictures that were handed out to be shown.
    public let shownFrames: Int
    /// Pictures that came too late to be shown.
    public let droppedFrames: Int
    /// Pictures that were damaged.
    public let damagedFrames: Int
}
