/// What a topic is about.
package enum HomePlace: Sendable, Hashable {
    /// The service as a whole.
    case service
    /// A group of rooms, by its slug.
    case group(String)
    /// A room, by its slug.
    case room(String)

    /// The levels of its topics, behind those of the service.
    var path: String {
        switch self {
        case .service: ""
        case .group(let slug): "/group/\(slug)"
        case .room(let slug): "/room/\(slug)"
        }
    }

    /// What begins the ids of its entities.
    var identifier: String {
        switch self {
        case .service: "service"
        case .group(let slug): "group_\(slug)"
        case .room(let slug): "room_\(slug)"
        }
    }

    /// Reads what `identifier` wrote.
    init?(identifier: some StringProtocol) {
        if identifier == "service" {
            self = .service
            return
        }
        let parts = identifier.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(kind: parts[0], slug: parts[1])
    }

    /// Reads the two levels of a topic.
    init?(kind: some StringProtocol, slug: some StringProtocol) {
        guard Slug.isValid(slug) else { return nil }
        switch kind {
        case "group": self = .group(String(slug))
        case "room": self = .room(String(slug))
        default: return nil
        }
    }
}
