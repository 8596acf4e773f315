/// A house: what is in it, what plays there, and what may happen to it. Names are unique within their kind.
package struct Scenario: Sendable, Equatable, Codable {
    /// The seed where none is asked for.
    package var seed: UInt64
    /// How long a run takes, in nanoseconds.
    package var duration: Int64
    package var rooms: [RoomPlan]
    package var senders: [SenderPlan]
    package var songs: [Song]
    package var groups: [GroupPlan]
    /// What happens for certain.
    package var steps: [Step]
    /// What happens besides.
    package var randomFaults: RandomFaults?
    package var randomUsers: RandomUsers?

    /// A scenario.
    package init(
        seed: UInt64 = 1, duration: Int64, rooms: [RoomPlan], senders: [SenderPlan], songs: [Song],
        groups: [GroupPlan], steps: [Step] = [], randomFaults: RandomFaults? = nil, randomUsers: RandomUsers? = nil
    ) {
        self.seed = seed
        self.duration = duration
        self.rooms = rooms
        self.senders = senders
        self.songs = songs
        self.groups = groups
        self.steps = steps
        self.randomFaults = randomFaults
        self.randomUsers = randomUsers
    }

    /// By name how long a song lasts, in nanoseconds.
    var songLengths: [String: Int64] {
        Dictionary(songs.map { ($0.name, $0.length) }, uniquingKeysWith: { first, _ in first })
    }

    /// All machines: the senders, then the speakers, in the scenario's order.
    package var machines: [Machine] { senders.map { .sender($0.name) } + rooms.map { .speaker($0.name) } }
}
