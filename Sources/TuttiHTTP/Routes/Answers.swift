import TuttiCore
import TuttiSchema
import TuttiTrust

/// What somebody may do.
struct AccessAnswer: Codable, Sendable {
    var scope: TokenScope
    /// The only group that it may be done with; left out if there is no such limit.
    var group: String?
    /// When it ends, in seconds since 1970; left out if it does not.
    var until: Int64?
}

/// How all groups stand: those that play, and those whose queue is kept.
struct StatusAnswer: Codable, Sendable {
    var groups: [PlayerStatus]
    /// What a person should know besides, a line each.
    var notices: [String]?
}

/// A named group, or one that plays or could resume.
struct GroupAnswer: Codable, Sendable {
    var name: String
    /// Its rooms, each as `--room` takes them.
    var rooms: [String]
    /// Whether the group has a name of its own that is kept, as `tutti group set` makes it.
    var isNamed: Bool
    /// How it stands; left out if it neither plays nor has a queue.
    var status: PlayerStatus?
}

/// All groups.
struct GroupsAnswer: Codable, Sendable { var groups: [GroupAnswer] }

/// How loud a group is.
struct VolumeAnswer: Codable, Sendable {
    /// The volume of its loudest room, 0 … 100; left out if it is not known.
    var volume: Double?
    /// Whether all of its rooms are muted.
    var muted: Bool
    var rooms: [RoomStatus]
}

extension VolumeAnswer {
    /// The volume of these rooms.
    init(_ rooms: [RoomStatus]) {
        self.init(
            volume: rooms.compactMap(\.volume).max(),
            muted: !rooms.isEmpty && rooms.allSatisfy { $0.muted == true }, rooms: rooms)
    }
}

/// Rooms.
struct RoomsAnswer: Codable, Sendable { var rooms: [RoomStatus] }

/// Playlists.
struct PlaylistsAnswer: Codable, Sendable { var playlists: [PlaylistListing] }

/// Radio stations.
struct StationsAnswer: Codable, Sendable { var stations: [StationListing] }

/// What is to be played later.
struct SchedulesAnswer: Codable, Sendable {
    var schedules: [ScheduleListing]
    var notices: [String]?
}

/// A sleep timer.
struct SleepAnswer: Codable, Sendable {
    /// Seconds until the group stops; null without a timer.
    var seconds: Double?

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(seconds, forKey: .seconds)
    }
}

/// What a person should know.
struct NoticesAnswer: Codable, Sendable { var notices: [String] }

extension StatusAnswer {
    /// - Parameter response: to `status`, refused or not.
    init(_ response: ControlResponse) {
        let playing = response.playing ?? response.status.map { [$0] } ?? []
        self.init(groups: playing + (response.stopped ?? []), notices: response.notices)
    }
}

extension Call {
    /// How all groups stand.
    func allStatuses() async throws(Problem) -> StatusAnswer {
        let response = try await tryToAsk(ControlRequest(.status))
        guard response.ok || response.exitCode == 5 else { throw Problem(response) }
        var answer = StatusAnswer(response)
        if let guest = permit.group {
            answer.groups.removeAll { !Names.areSame($0.group ?? "", guest) }
            answer.notices = nil
        }
        return answer
    }

    /// The named groups and their rooms.
    func namedGroups() async throws(Problem) -> [String: [String]] {
        let groups = try await ask(ControlRequest(.group(.list))).groups ?? [:]
        guard let guest = permit.group else { return groups }
        return groups.filter { Names.areSame($0.key, guest) }
    }
}
