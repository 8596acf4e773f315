extension ControlRequest {
    /// What is asked of the named groups of rooms. Rooms are each as `--room` takes them.
    package enum GroupCommand: Sendable, Equatable {
        /// All of them.
        case list
        /// Makes a group, or gives it other rooms.
        case set(String, rooms: [String])
        /// Adds rooms to a group.
        case add(String, rooms: [String])
        /// Takes rooms out of a group.
        case remove(String, rooms: [String])
        /// Deletes a group.
        case delete(String)

        /// The group; nil for all of them.
        package var name: String? {
            switch self {
            case .list: nil
            case .set(let name, _), .add(let name, _), .remove(let name, _), .delete(let name): name
            }
        }
    }
}
