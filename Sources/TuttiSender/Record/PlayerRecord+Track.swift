package import TuttiAssets
package import TuttiCore

extension PlayerRecord {
    /// One track on the timeline.
    package struct Track: Sendable, Equatable, Codable {
        /// Counts the tracks that were scheduled.
        package var serial: Int
        /// The id of the entry of the queue that it is; that may have left the queue.
        package var entry: UInt64
        /// What the entry is.
        package var input: AssetInput
        /// What is known since it was opened.
        package var info: AssetInfo?
        /// Where its sound begins on the timeline.
        package var start: MediaTime
        /// The place in it that plays there.
        package var offset: MediaTime
        /// Seconds of it that pass in a second of the timeline.
        package var rate: Double
        /// Where it ends on the timeline once it was produced to its end, or to its tail.
        package var end: MediaTime?
        /// The tail of the track before that it overlaps with.
        package var head: Ending?
        /// Its own tail, once everything before that was produced.
        package var ending: Ending?
        /// Whether it is known to begin at `start` and not only expected to.
        package var isPlaced: Bool
    }

    /// The last seconds of a track, which are made together with the next one.
    package struct Ending: Sendable, Equatable, Codable {
        /// Of what.
        package var input: AssetInput
        /// Which of its audio tracks, as `TrackChoice` reads it; nil for the one that it suggests.
        package var choice: String?
        /// Where in the track it begins.
        package var place: MediaTime
        /// Where that lies on the timeline.
        package var time: MediaTime
        /// Where the track ends on the timeline, by its length.
        package var end: MediaTime
        /// Seconds of the track that pass in a second of the timeline.
        package var rate: Double
        /// Frames a second of the track.
        package var sampleRate: Int
        /// The longest that it overlaps with the next track, in seconds of the timeline.
        package var crossfade: MediaTime
        /// What its samples are multiplied with; nil for 1.
        package var gain: Float?
    }
}
