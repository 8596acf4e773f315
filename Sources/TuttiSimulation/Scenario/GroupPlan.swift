package import TuttiCore

/// What plays at the start of a scenario, and where.
package struct GroupPlan: Sendable, Equatable, Codable {
    package var name: String
    /// The sender that serves it.
    package var sender: String
    package var rooms: [String]
    /// Names of songs, in order: what its queue holds at first.
    package var queue: [String]
    /// When a person says `play`, in nanoseconds since the beginning, which scripts then have a step for; nil when
    /// nobody does.
    package var start: Int64?
    /// How long a song and the next play together, in nanoseconds.
    package var crossfade: Int64
    package var repeats: RepeatMode

    /// A group.
    package init(
        name: String, sender: String, rooms: [String], queue: [String], start: Int64? = 0, crossfade: Int64 = 0,
        repeats: RepeatMode = .off
    ) {
        self.name = name
        self.sender = sender
        self.rooms = rooms
        self.queue = queue
        self.start = start
        self.crossfade = crossfade
        self.repeats = repeats
    }
}
