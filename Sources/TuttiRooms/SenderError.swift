/// Why something cannot be played, or a command cannot be carried out.
package enum SenderError: Error, Equatable, Sendable {
    /// A `--room` that is no `NAME` nor `NAME@HOST[:PORT]`.
    case badRoom(String)
    /// No speaker of this name is on the network.
    case roomNotFound(String, reason: String)
    /// Nothing answers for this room.
    case roomUnreachable(String, reason: String)
    /// Something is there for this room, and takes its time to answer.
    case roomSlow(String, reason: String)
    /// The speaker of this room refuses.
    case roomRefused(String, reason: String)
    /// A person has asked another sender to play in this room.
    case roomTaken(String, reason: String)
    /// The other side of a command names a room that is not playing.
    case noSuchRoom(String)
    /// No entry of the queue at this place, which is counted from 1.
    case noSuchEntry(Int, count: Int)
    /// No entry of the queue has this id, or not any more.
    case noSuchEntryID(UInt64)
    /// What plays has no such track or chapter; the text says what it is.
    case noSuchTrack(String)
    /// The item is not in the queue, or not any more.
    case itemNotInQueue
    /// The item is in the queue already.
    case itemInQueue
    /// No group of this name.
    case noSuchGroup(String)
    /// Nothing is scheduled under this number.
    case noSuchSchedule(Int)
    /// No input can be played.
    case nothingPlayable
    /// So many tracks in a row cannot be played that the queue stops.
    case givenUp(failures: Int)
    /// The command makes no sense now; the text gives the reason.
    case notNow(String)
    /// A codec or an option that cannot be used.
    case badOption(String)
    /// This user plays something already.
    case alreadyPlaying(socket: String)
    /// No player listens.
    case nothingPlaying
    /// What was stored of a player is damaged; the text tells where.
    case badRecord(String)
    /// Nothing plays in the group of this name; these do play.
    case notPlaying(String, playing: [String])
    /// Several groups play, and none was named.
    case severalPlaying([String])
    /// The player said no; the text is its own.
    case refused(String, exitCode: Int32)
    /// The system says no.
    case system(String)
}

extension SenderError: CustomStringConvertible {
    /// One line that says what happened and, where that helps, what to do.
    package var description: String {
        switch self {
        case .badRoom(let text): "\(text): a room is NAME or NAME@HOST[:PORT], such as kitchen@10.0.0.7"
        case .roomNotFound(let name, let reason): "\(name): \(reason)"
        case .roomUnreachable(let name, let reason), .roomSlow(let name, let reason): "\(name): \(reason)"
        case .roomRefused(let name, let reason): "\(name): \(reason)"
        case .roomTaken(let name, let reason): "\(name): \(reason)"
        case .noSuchRoom(let name): "\(name): no such room is playing; `tutti status` lists the rooms"
        case .noSuchEntry(let number, let count):
            "\(number): no such track; the queue has \(count) (`tutti queue` lists them)"
        case .noSuchEntryID(let id): "no track of the queue has the id \(id), or not any more"
        case .noSuchTrack(let reason): reason
        case .itemNotInQueue: "the item is not in the queue"
        case .itemInQueue: "the item is already in the queue"
        case .noSuchGroup(let name): "\(name): no such group; `tutti group list` lists the groups"
        case .noSuchSchedule(let number): "\(number): no such schedule; `tutti at` lists the schedules"
        case .nothingPlayable: "none of the inputs can be played"
        case .givenUp(let failures):
            "\(failures) tracks in a row cannot be played, so the queue stops; is a disk or a share missing?"
        case .notNow(let reason): reason
        case .badOption(let reason): reason
        case .alreadyPlaying(let socket):
            "something is already playing (`tutti status`); stop it with `tutti stop` (its socket is \(socket))"
        case .nothingPlaying: "nothing is playing; start with `tutti play`"
        case .badRecord(let reason): "the stored player cannot be used: \(reason)"
        case .notPlaying(let name, let playing):
            "\(name): nothing plays there; name one of these with --group: \(playing.joined(separator: ", "))"
        case .severalPlaying(let names): "several groups play; name one with --group: \(names.joined(separator: ", "))"
        case .refused(let text, _): text
        case .system(let reason): reason
        }
    }

    /// What happened, without the room that it is about.
    package var reason: String {
        switch self {
        case .roomNotFound(_, let reason), .roomUnreachable(_, let reason), .roomSlow(_, let reason),
            .roomRefused(_, let reason), .roomTaken(_, let reason):
            reason
        default: description
        }
    }

    /// The exit code of a program that ends for this reason.
    package var exitCode: Int32 {
        switch self {
        case .badRoom, .badOption, .severalPlaying: 2
        case .roomNotFound, .roomUnreachable, .roomSlow, .noSuchRoom, .noSuchEntry, .noSuchEntryID, .noSuchGroup,
            .nothingPlayable, .givenUp, .noSuchSchedule, .notPlaying, .noSuchTrack:
            3
        case .roomRefused, .roomTaken: 4
        case .nothingPlaying: 5
        case .refused(_, let exitCode): exitCode
        case .notNow, .alreadyPlaying, .system, .badRecord, .itemNotInQueue, .itemInQueue: 1
        }
    }
}
