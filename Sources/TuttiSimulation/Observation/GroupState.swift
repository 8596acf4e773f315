package import TuttiCore

/// What must not be lost of a group: what people have asked for.
package struct GroupState: Sendable, Hashable, Codable {
    /// A place in the queue.
    package struct Entry: Sendable, Hashable, Codable {
        package var id: UInt64
        package var song: String

        /// An entry.
        package init(id: UInt64, song: String) {
            self.id = id
            self.song = song
        }
    }

    /// In the order of play.
    package var queue: [Entry] = []
    /// The entry that plays.
    package var current: UInt64?
    package var isPlaying = false
    package var repeats = RepeatMode.off
    package var isShuffled = false
    package var consumes = false
    /// In nanoseconds.
    package var crossfade: Int64 = 0
    package var rate: Double = 1
    /// The rooms in the group's order, with 0 … 100 and whether they are muted, as far as they are known.
    package var rooms: [Level] = []

    /// A room's loudness.
    package struct Level: Sendable, Hashable, Codable {
        package var room: String
        package var volume: Double?
        package var isMuted: Bool?

        /// A level.
        package init(room: String, volume: Double? = nil, isMuted: Bool? = nil) {
            self.room = room
            self.volume = volume
            self.isMuted = isMuted
        }
    }

    /// A group of which nothing was asked.
    package init() {}
}
