/// What a route picker shows: the ways to play that were found, which of them are chosen, and the route that comes of the
/// choice. It is a value: keep one, give it what a `RouteDetector` finds, and draw its items with whatever toolkit you
/// have.
///
/// One device of this host can be chosen, or any number of rooms, which play as one. What is chosen stays among the items
/// when it is gone, so that people see it and can choose something else.
public struct RoutePicker: Sendable, Hashable {
    /// A line of a picker.
    public struct Item: Sendable, Hashable, Identifiable {
        /// The route's id, as in `RouteDetector.Route`.
        public let id: String
        /// What to show people.
        public let name: String
        /// The sort of the route.
        public let kind: PlaybackRoute.Kind
        /// A picture by the icon naming specification of freedesktop.org, such as `audio-card`.
        public let iconName: String
        /// Whether it is chosen.
        public let isSelected: Bool
        /// Whether it is there.
        public let isAvailable: Bool
    }

    /// What was found last; give it the `changes` of a `RouteDetector`.
    public var routes: [RouteDetector.Route]
    private var selected: [RouteDetector.Route]

    /// A picker in which this host's default device is chosen.
    public init(routes: [RouteDetector.Route] = []) {
        self.routes = routes
        selected = [
            routes.first { $0.id == "default" } ?? RouteDetector.Route(id: "default", name: "Default", room: nil)
        ]
    }

    /// The lines, devices before rooms, in the order in which they were found; what is chosen and gone is at the end.
    public var items: [Item] {
        let gone = selected.filter { chosen in !routes.contains { $0.id == chosen.id } }
        let all = routes.filter { $0.room == nil } + routes.filter { $0.room != nil }
        return (all + gone).map { route in
            Item(
                id: route.id, name: route.name, kind: route.kind, iconName: route.iconName,
                isSelected: selected.contains { $0.id == route.id }, isAvailable: !gone.contains { $0.id == route.id })
        }
    }

    /// Chooses a line, as a person who taps it: a device alone; a room beside the other rooms, or not any more. The last
    /// one that is chosen stays so.
    ///
    /// - Returns: whether another route is chosen now.
    @discardableResult
    public mutating func toggle(_ id: Item.ID) -> Bool {
        if let index = selected.firstIndex(where: { $0.id == id }) {
            guard selected.count > 1 else { return false }
            selected.remove(at: index)
            return true
        }
        guard let route = routes.first(where: { $0.id == id }) else { return false }
        if route.room != nil, selected.allSatisfy({ $0.room != nil }) {
            selected.append(route)
        } else {
            selected = [route]
        }
        return true
    }

    /// The route of what is chosen, for a renderer.
    public func route() -> PlaybackRoute {
        let rooms = selected.compactMap(\.room)
        if !rooms.isEmpty { return .rooms(rooms) }
        guard let device = selected.first, device.id != "default" else { return .local() }
        let session = AudioSession(device: device.id)
        return device.kind == .bluetooth ? .bluetooth(session: session) : .local(session: session)
    }
}

extension RouteDetector.Route {
    /// The sort of the route.
    public var kind: PlaybackRoute.Kind {
        if room != nil { return .rooms }
        return id.lowercased().contains("bluealsa") ? .bluetooth : .local
    }

    fileprivate var iconName: String {
        switch kind {
        case .rooms: "audio-speakers"
        case .bluetooth: "audio-headphones"
        case .local, .offline: "audio-card"
        }
    }
}
