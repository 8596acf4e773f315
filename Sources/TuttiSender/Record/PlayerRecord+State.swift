package import TuttiCore
import TuttiPlayback

extension PlayerRecord {
    /// Everything but the queue's entries and their order.
    package struct State: Sendable, Equatable, Codable {
        /// Names the programme to the rooms; never 0.
        package var stream: UInt32
        /// The rooms.
        package var rooms: [Room]
        /// Those that were taken out and have not said that they know it; nil in records from before there were such.
        package var farewells: [Room]?
        /// How the programme travels.
        package var encoding: Encoding

        /// The queue's entry that is heard, or will be first.
        package var current: UInt64?
        /// The id that the queue's next entry will have.
        package var nextEntry: UInt64
        /// What follows the end.
        package var repeatMode: RepeatMode
        /// Whether entries leave once they are over.
        package var consumes: Bool

        /// What of the queue lies on the timeline.
        package var lane: [Piece]
        /// The serial number that the next piece will have.
        package var nextSerial: Int
        /// The serial number of the piece that `current` was found by; -1 for none.
        package var followed: Int
        /// Where the programme ends on the timeline, once that is known.
        package var end: MediaTime?
        /// Seconds of a piece that pass in a second, for what is laid from now on.
        package var rate: Double
        /// How long the ending of a piece and the beginning of the next are heard together at most, for what is laid from now on.
        package var crossfade: MediaTime

        /// The line that the rooms play along.
        package var line: Line
        /// The lines before it, newest last: a room may not have heard of what came after one of them.
        package var earlierLines: [Line]
        /// A place in the programme that was heard not long ago: where to go on when no room knows.
        package var heard: MediaTime
        /// Whether it is held, or to be held, because a person wants that.
        package var isHeld: Bool
        /// Whether the queue is stopped: it lies in no room, and begins at `heard` within the current entry. Nil for one that plays.
        package var isStopped: Bool?
        /// The room whose card leads playback time, by its name; nil for none.
        package var reference: String?
    }
}

extension PlayerRecord {
    /// A room, by what is needed to find it and to go on in it.
    package struct Room: Sendable, Equatable, Codable {
        /// Where it was found last.
        package var address: RoomAddress
        /// Whether the address came from the network and may be looked up again.
        package var isDiscovered: Bool
        /// The speaker's id, once it has answered.
        package var speakerID: String?
        /// How loud it was told to be, 0 … 100, while it has not said that it is; else nil.
        package var percent: Double?
        /// Whether it was told to be silent; counts with `percent`.
        package var isMuted: Bool
        /// The generation of the audio that it was sent last.
        package var generation: UInt32
        /// What it was told to drop and has not said that it did.
        package var flushes: [Flush]
        /// How loud it would be were there no ends to the scale; nil where it has been set by itself.
        package var balance: Double?
    }

    /// Audio that a room was told to drop.
    package struct Flush: Sendable, Equatable, Codable {
        /// The generation that came with it.
        package var generation: UInt32
        /// From where on; nil for all of it.
        package var from: MediaTime?
    }

    /// Where the programme stands at each instant of a group clock.
    package struct Line: Sendable, Equatable, Codable {
        /// 0 or 1.
        package var rate: Double
        /// The media time at `group`.
        package var media: MediaTime
        /// The instant from which the line holds, in ns of the group clock.
        package var group: Int64
        /// The group clock; never 0.
        package var timescale: UInt64
    }

    /// How the programme travels.
    package struct Encoding: Sendable, Equatable, Codable {
        /// The codec of what is encoded.
        package var codec: AudioFormat.Codec
        /// Whether pieces travel in the packets that they lie in, where speakers decode those.
        package var keepsOriginals: Bool
        /// Opus: bits a second.
        package var bitrate: Int
        /// What samples are multiplied with.
        package var gain: Float
    }
}
