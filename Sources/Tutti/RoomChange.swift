package import TuttiSchema

/// What happens to a room of several.
public enum RoomChange: Sendable, Hashable {
    /// How much of the sound a room's link carries.
    public enum Link: Sendable, Hashable {
        /// It holds its messages up for long.
        case slow
        /// It carries less than the sound, so the room gets it encoded with Opus.
        case reduced
        /// The room gets the whole sound again.
        case whole
        /// It loses large packets, so the room is sent small ones.
        case smallPackets
    }

    /// It is connected.
    case connected
    /// It cannot be reached, or not any more. It is tried again.
    case lost(reason: String)
    /// A person has another sender play there.
    case taken(reason: String)
    /// It is no longer one of the rooms.
    case removed
    /// It does something else than before; `problem` says what is wrong with it, if something is.
    case state(PlayerRoom.State, problem: String?)
    /// It has another address now.
    case moved(detail: String)
    /// Its link carries more or less than before.
    case link(Link, detail: String)
    /// It tells something else, for people.
    case told(String)
}

extension RoomChange {
    /// - Parameter message: for people.
    package init(_ event: RoomEvent, message: String) {
        self =
            switch event {
            case .connected: .connected
            case .lost, .state(.unreachable): .lost(reason: message)
            case .state(.taken): .taken(reason: message)
            case .state(let state): .state(PlayerRoom.State(state), problem: message.isEmpty ? nil : message)
            case .removed: .removed
            case .moved: .moved(detail: message)
            case .slow: .link(.slow, detail: message)
            case .thinner: .link(.reduced, detail: message)
            case .whole: .link(.whole, detail: message)
            case .narrow: .link(.smallPackets, detail: message)
            case .reference, .told: .told(message.isEmpty ? event.description : message)
            }
    }
}

extension RoomChange: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .connected: "connected"
        case .lost(let reason): "lost: \(reason)"
        case .taken(let reason): "taken: \(reason)"
        case .removed: "removed"
        case .state(let state, let problem): problem.map { "\(state): \($0)" } ?? "\(state)"
        case .moved(let detail), .link(_, let detail), .told(let detail): detail
        }
    }
}
