package import TuttiCore

/// Whether there is enough audio to play on, as players show it.
package struct BufferingState: Sendable, Hashable {
    /// Nothing is held where the programme stands.
    package var isEmpty = true
    /// As much is held as is wanted, or all there is.
    package var isFull = false
    /// What is held will last.
    package var isLikelyToKeepUp = false

    /// Seconds held ahead from which on a buffer is likely to last, unless its depth is less.
    private static let comfortable = 2.0

    /// Nothing is held.
    package init() {}

    /// The state at `playhead` with `loaded` spans held.
    ///
    /// - Parameters:
    ///   - end: where the data end, when all of them are held.
    ///   - depth: seconds that are wanted ahead.
    package init(loaded: [TimeRange], playhead: MediaTime, end: MediaTime?, depth: Double) {
        let ahead = loaded.first { $0.contains(playhead) }.map { $0.end - playhead } ?? .zero
        let reachesEnd = end.map { playhead + ahead >= $0 } ?? false
        isEmpty = !ahead.isPositive && !reachesEnd
        isFull = reachesEnd || ahead.seconds >= depth
        isLikelyToKeepUp = reachesEnd || ahead.seconds >= min(Self.comfortable, depth / 2)
    }
}
