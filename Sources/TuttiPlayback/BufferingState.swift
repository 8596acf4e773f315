package import TuttiCore

/// Whether there is enough audio to play on, as players show it.
public struct BufferingState: Sendable, Hashable {
    /// Nothing is held where the timeline stands: it stalls, or will as soon as it plays.
    public private(set) var isPlaybackBufferEmpty = true
    /// As much is held as the route wants, or all there is.
    public private(set) var isPlaybackBufferFull = false
    /// Enough is held to begin, or resume, without stopping soon.
    public private(set) var isPlaybackLikelyToKeepUp = false

    /// Seconds held ahead from which on a buffer is likely to last, unless its depth is less.
    private static let comfortable = 2.0

    /// Nothing is held.
    public init() {}

    /// The state at `playhead` with `loaded` spans held.
    ///
    /// - Parameters:
    ///   - end: where the data end, once that is known.
    ///   - depth: seconds that are wanted ahead, as they play.
    ///   - rate: media seconds a second; 0 while the timeline stands still, which counts as 1.
    package init(loaded: [TimeRange], playhead: MediaTime, end: MediaTime?, depth: Double, rate: Double = 1) {
        let ahead = Self.ahead(loaded, playhead)
        let seconds = ahead.seconds / Self.pace(rate)
        let reachesEnd = end.map { playhead + ahead >= $0 } ?? false
        isPlaybackBufferEmpty = !ahead.isPositive && !reachesEnd
        isPlaybackBufferFull = reachesEnd || seconds >= depth
        isPlaybackLikelyToKeepUp = reachesEnd || seconds >= Self.enough(depth)
    }

    /// Seconds of play until the state may be another one: where nothing is held, until the next that is. Nil when
    /// nothing follows.
    package static func secondsUntilChange(
        loaded: [TimeRange], playhead: MediaTime, depth: Double, rate: Double = 1
    ) -> Double? {
        let ahead = ahead(loaded, playhead).seconds / pace(rate)
        guard ahead > 0 else {
            return loaded.first { $0.start > playhead }.map { ($0.start - playhead).seconds / pace(rate) }
        }
        let next = [depth, enough(depth), 0].first { $0 < ahead }
        return next.map { ahead - $0 }
    }

    private static func pace(_ rate: Double) -> Double { rate > 0 ? rate : 1 }

    private static func enough(_ depth: Double) -> Double { min(comfortable, depth / 2) }

    private static func ahead(_ loaded: [TimeRange], _ playhead: MediaTime) -> MediaTime {
        loaded.first { $0.contains(playhead) }.map { $0.end - playhead } ?? .zero
    }
}
