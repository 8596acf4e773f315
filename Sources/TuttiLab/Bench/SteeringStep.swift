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

        package init(_ kind: SteeringKind, _ way: Way, rawNanoseconds: Int64, target: Double? = nil) {
            self.kind = kind
            self.way = way
            self.rawNanoseconds = rawNanoseconds
            self.target = target
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

    /// The length of the first of the two pieces of the song, seconds.
    package static let firstPiece = 240.0

    /// One of each: begins and ends near the start of the first piece.
    package static let round = [
        SteeringStep(.pause, ["pause"]),
        SteeringStep(.resume, ["resume"]),
        SteeringStep(.volume, ["volume", "50"], ",\"volume\":\"50\""),
        SteeringStep(.volume, ["volume", "100"], ",\"volume\":\"100\""),
        SteeringStep(.mute, ["mute", "on"], ",\"muted\":true"),
        SteeringStep(.unmute, ["mute", "off"], ",\"muted\":false"),
        SteeringStep(.seekInside, ["seek", "150"], ",\"position\":\"150\"", target: 150),
        SteeringStep(.seekOutside, ["seek", "20"], ",\"position\":\"20\"", target: 20),
        SteeringStep(.next, ["next"], target: firstPiece),
        // Within the first seconds of a piece this is the one before.
        SteeringStep(.previous, ["previous"], target: 0),
    ]
}
