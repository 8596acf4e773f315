/// How a room sounded in a run. Times in nanoseconds.
package struct RoomFigures: Sendable, Equatable {
    package let name: String
    /// Distance from where the sound should be, in magnitude, over all observations with sound.
    package var syncP50: Int64?
    package var syncP99: Int64?
    package var syncMaximum: Int64?
    /// How often the sound broke off while it was due, and the longest silence.
    package var dropouts: Int
    package var longestDropout: Int64
    /// The least and the middle of what was held ahead of what played, from the first half minute on.
    package var bufferMinimum: Int64?
    package var bufferTypical: Int64?
    /// For each fault that took its sound or its step away: how long from its end until it played in step again.
    package var recoveries: [Int64]
    /// Whether it was out of step at the end of the run, with sound due.
    package var isOutAtEnd: Bool
}
