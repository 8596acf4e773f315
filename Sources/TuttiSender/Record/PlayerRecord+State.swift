package import TuttiCore
import TuttiPlayback
package import TuttiRooms

extension PlayerRecord {
    /// Everything but the queue's entries and their order.
    package struct State: Sendable, Equatable, Codable {
        /// Names the timeline to the rooms; never 0.
        package var stream: UInt32
        /// The rooms.
        package var rooms: [StoredRoom]
        /// Those that were taken out and have not confirmed it; nil in records from before there were such.
        package var farewells: [StoredRoom]?
        /// How the timeline travels.
        package var encoding: Encoding

        /// The queue's current entry, or the one that will be first.
        package var current: UInt64?
        /// The id that the queue's next entry will have.
        package var nextEntry: UInt64
        /// What follows the end.
        package var repeatMode: RepeatMode
        /// Whether entries leave once they are over.
        package var consumes: Bool

        /// What of the queue is on the timeline.
        package var lane: [Track]
        /// The serial number that the next track will have.
        package var nextSerial: Int
        /// The serial number of the track that `current` was found by; -1 for none.
        package var followed: Int
        /// Where the timeline ends on the timeline, once that is known.
        package var end: MediaTime?
        /// Seconds of a track that pass in a second, for what is scheduled from now on.
        package var rate: Double
        /// How long a track and the next one overlap at most, for what is scheduled from now on.
        package var crossfade: MediaTime

        /// The timebase that the rooms play on.
        package var line: StoredTimebase
        /// The timebases before it, newest last: a room may know one of them and none that followed.
        package var earlierLines: [StoredTimebase]
        /// A place in the timeline that played not long ago: where to resume when no room knows.
        package var heard: MediaTime
        /// Whether it is paused, or to be paused, because a person wants that.
        package var isHeld: Bool
        /// Whether the queue is stopped: it lies in no room, and begins at `heard` within the current entry. Nil for
        /// one that plays.
        package var isStopped: Bool?
        /// The room whose card leads playback time, by its name; nil for none.
        package var reference: String?
        /// What is made equally loud; nil in records from before anything was.
        package var normalization: LoudnessNormalization?
        /// Whether there is less difference between loud and soft; nil for no.
        package var isNight: Bool?
        /// Which tracks of films play; nil for what the films suggest.
        package var tracks: TrackChoices?
    }
}

extension PlayerRecord {
    /// How the timeline travels.
    package struct Encoding: Sendable, Equatable, Codable {
        /// The codec of what is encoded.
        package var codec: AudioFormat.Codec
        /// Whether tracks travel in the packets that they lie in, where speakers decode those.
        package var keepsOriginals: Bool
        /// Opus: bits a second.
        package var bitrate: Int
        /// What samples are multiplied with.
        package var gain: Float
    }
}
