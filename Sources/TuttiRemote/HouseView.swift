import TuttiCore
package import TuttiSchema

/// What a controller knows of a service: its groups and its rooms, kept true by the service's events.
package struct HouseView: Sendable, Equatable {
    /// A group that has a name of its own, plays or could resume.
    package struct Group: Sendable, Equatable {
        /// What it is called; empty for one that was never given a name.
        package var name: String
        /// Its rooms, each as `--room` takes them.
        package var rooms: [String]
        /// Whether its name is kept, as `tutti group set` makes it.
        package var isNamed: Bool
        /// How it stands; nil if it neither plays nor has a queue.
        package var status: PlayerStatus?
        /// When the status was true, in seconds of the clock that the view is told.
        package var statusTime = 0.0

        /// A group, and how it stood at an instant of the view's clock.
        package init(
            name: String, rooms: [String], isNamed: Bool, status: PlayerStatus? = nil, statusTime: Double = 0
        ) {
            self.name = name
            self.rooms = rooms
            self.isNamed = isNamed
            self.status = status
            self.statusTime = statusTime
        }

        /// Seconds into the piece at an instant of the same clock; 0 without a status.
        package func position(at now: Double) -> Double {
            guard let status else { return 0 }
            let moved = status.state == .playing ? max(0, now - statusTime) * status.rate : 0
            return min(max(0, status.position + moved), status.item?.duration ?? .infinity)
        }

        /// Notes where it is at an instant, from which on it may move otherwise.
        fileprivate mutating func hold(at now: Double) {
            let position = position(at: now)
            status?.position = position
            statusTime = now
        }
    }

    /// What must be asked of the service to know all of it again.
    package enum Reading: Sendable, Hashable, CaseIterable {
        /// The groups and how each stands.
        case groups
        /// The rooms.
        case rooms
    }

    /// The groups, by name.
    package private(set) var groups: [Group] = []
    /// All rooms that are known and answer, and those that play.
    package private(set) var rooms: [RoomStatus] = []

    /// Nothing is known yet.
    package init() {}

    /// The group of a name; case and accents do not matter.
    package func group(_ name: String) -> Group? { place(of: name).map { groups[$0] } }

    private func place(of name: String?) -> Int? { groups.firstIndex { Names.areSame($0.name, name ?? "") } }

    // MARK: Readings

    /// Takes the answers to `status` and to `group`, mode `list`.
    ///
    /// - Parameter now: seconds of a clock that runs evenly.
    package mutating func take(status: ControlResponse, named: [String: [String]], at now: Double) {
        let statuses = (status.playing ?? status.status.map { [$0] } ?? []) + (status.stopped ?? [])
        var read = named.map { name, rooms in Group(name: name, rooms: rooms, isNamed: true) }
        for status in statuses {
            let name = status.group ?? ""
            let place = read.firstIndex { Names.areSame($0.name, name) } ?? read.endIndex
            if place == read.endIndex {
                read.append(Group(name: name, rooms: status.rooms.map(\.name), isNamed: false))
            }
            (read[place].status, read[place].statusTime) = (status, now)
        }
        groups = read.sorted { $0.name < $1.name }
        for status in statuses where status.state != .stopped { take(status.rooms) }
    }

    /// Takes the answer to `volume` without a volume: all rooms.
    package mutating func take(levels: ControlResponse) { rooms = levels.status?.rooms ?? rooms }

    /// Takes how loud some rooms are that were asked for, beside those that are known.
    package mutating func add(levels: [RoomStatus]) { take(levels) }

    /// Rooms as a player has them, who knows them best.
    private mutating func take(_ told: [RoomStatus]) {
        for room in told {
            let place = rooms.firstIndex { $0.id == nil ? Names.areSame($0.name, room.name) : $0.id == room.id }
            if let place { rooms[place] = room } else { rooms.append(room) }
        }
    }

    // MARK: Events

    /// Carries an event into what is known.
    ///
    /// - Parameter now: seconds of a clock that runs evenly.
    /// - Returns: what has to be read anew, for the event alone does not say it.
    package mutating func take(_ event: ControlEvent, at now: Double) -> Set<Reading> {
        switch event.kind {
        case .progress(let status):
            guard let place = place(of: event.group ?? status.group) else { return [.groups] }
            (groups[place].status, groups[place].statusTime) = (status, now)
            take(status.rooms)
        case .state(let state):
            guard let place = place(of: event.group), groups[place].status != nil else { return [.groups] }
            groups[place].hold(at: now)
            groups[place].status?.state = state
        case .item(let item):
            guard let place = place(of: event.group), let status = groups[place].status else { return [.groups] }
            // A station that reports another title goes on where it is.
            groups[place].hold(at: now)
            if status.item?.id != item.id { groups[place].status?.position = 0 }
            groups[place].status?.item = item
        case .changed(.groups), .finished: return Set(Reading.allCases)
        case .changed(.rooms), .room: return [.rooms]
        case .changed(.queue), .changed(.schedules), .changed(.stations), .changed(.library), .changed(.playlists),
            .itemFailed, .stalled, .notice:
            break
        }
        return []
    }
}
