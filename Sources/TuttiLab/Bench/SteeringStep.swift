/// A command that the bench gives while the song plays.
package struct SteeringStep: Sendable, Equatable {
    /// How it is given.
    package enum Way: String, Sendable, Codable, CaseIterable {
        /// By `tutti`, a process of its own: counted from its start.
        case program
        /// By a line to the player's socket, as other programs steer it: counted from there.
        case socket
    }

    /// A command that was given.
    package struct Record: Sendable, Codable, Equatable {
        package var kind: SteeringKind
        package var way: Way
        /// When, ns of CLOCK_MONOTONIC_RAW.
        package var rawNanoseconds: Int64
        /// Where the song goes on, in seconds; nil when that is where it was.
        package var target: Double?
        /// Of an edit: ms until a room held what it asks for, by the sender's status; by room.
        package var refilledMilliseconds: [String: Double]?

        package init(
            _ kind: SteeringKind, _ way: Way, rawNanoseconds: Int64, target: Double? = nil,
            refilledMilliseconds: [String: Double]? = nil
        ) {
            self.kind = kind
            self.way = way
            self.rawNanoseconds = rawNanoseconds
            self.target = target
            self.refilledMilliseconds = refilledMilliseconds
        }
    }

    package var kind: SteeringKind
    /// What `tutti` is told.
    package var arguments: [String]
    /// What the socket is told.
    package var request: String
    package var target: Double?

    init(_ kind: SteeringKind, _ arguments: [String], _ fields: String = "", target: Double? = nil) {
        self.kind = kind
        self.arguments = arguments
        self.target = target
        request = "{\"command\":\"\(arguments.first ?? "")\"\(fields)}"
    }

    /// The length of the first of the two pieces of the song, seconds; the queue has the first once more behind both.
    package static let firstPiece = 240.0
    /// Seconds behind an edit that rooms must hold for it to count as done.
    package static let refill = 30.0

    /// The last of the queue takes the place of the one before it.
    private static let edit = SteeringStep(.edit, ["move", "3", "2"], ",\"entries\":[2,1]")

    /// One of each: begins and ends near the start of the first piece, with the queue as it was.
    package static let round = [
        SteeringStep(.pause, ["pause"]),
        SteeringStep(.resume, ["resume"]),
        SteeringStep(.volume, ["volume", "50"], ",\"volume\":\"50\""),
        SteeringStep(.volume, ["volume", "100"], ",\"volume\":\"100\""),
        SteeringStep(.mute, ["mute", "on"], ",\"muted\":true"),
        SteeringStep(.unmute, ["mute", "off"], ",\"muted\":false"),
        edit, edit,
        SteeringStep(.seekInside, ["seek", "150"], ",\"position\":\"150\"", target: 150),
        SteeringStep(.seekOutside, ["seek", "20"], ",\"position\":\"20\"", target: 20),
        SteeringStep(.next, ["next"], target: firstPiece),
        // Within the first seconds of a piece this is the one before.
        SteeringStep(.previous, ["previous"], target: 0),
    ]
}
