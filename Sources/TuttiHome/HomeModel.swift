package import TuttiRemote
package import TuttiSchema

/// What the broker is to have: a house as retained topics, kept true as the house and the connection to the broker
/// change.
///
/// It does no I/O. Every mutation takes `now`, in seconds of the clock that positions in a view are told by. Whoever
/// has called one publishes what `messages` gives, and calls that again when `deadline` has come.
package struct HomeModel: Sendable {
    /// Seconds that a group must be missing before it is removed: while a service puts a queue aside, its group is
    /// nowhere for a moment, and Home Assistant forgets what people have set for a removed entity.
    static let grace = 5.0
    /// Seconds between two times that everything is published again because Home Assistant has started.
    static let birthPause = 10.0
    /// Groups and rooms, at most, and foreign configurations that are remembered.
    private static let (mostPlaces, mostLeftovers) = (512, 8_192)

    package let topics: HomeTopics
    private let host: String
    private let version: String

    /// What is known of the house; nil while the service is away.
    package private(set) var view: HouseView?
    private var isConnected = false
    private var retained = RetainedTopics()
    /// What has a configuration, and how it is called in it.
    private var places: [HomePlace: String] = [:]
    private var missing: [HomePlace: Double] = [:]
    /// Configurations that the broker has from before.
    private var leftovers: Set<String> = []
    private var lastBirth = -Double.infinity

    /// - Parameters:
    ///   - host: what this host is called.
    ///   - version: of this program.
    package init(topics: HomeTopics, host: String, version: String) {
        (self.topics, self.host, self.version) = (topics, host, version)
        configure(.service, host)
        presence(.offline)
    }

    // MARK: The service

    /// Takes what is known of the house.
    package mutating func take(_ view: HouseView, at now: Double) {
        self.view = view
        var present: Set<HomePlace> = []
        // Queues that were put aside without a name would stay for ever.
        for group in view.groups where !group.name.isEmpty && (group.isNamed || group.isUnderWay) {
            let place = HomePlace.group(Slug.ofGroup(group.name))
            guard present.insert(place).inserted, configure(place, group.name) else { continue }
            want(HomeValues.of(group, in: view), at: place)
        }
        for room in view.rooms {
            guard let id = room.id, room.state != .unreachable else { continue }
            let place = HomePlace.room(Slug.ofRoom(id: id))
            guard present.insert(place).inserted, configure(place, room.name) else { continue }
            want(HomeValues.of(room, in: view), at: place)
            want([HomeEntity.availability: HomeValues.bytes(Presence.online.rawValue)], at: place)
        }
        missing = missing.filter { !present.contains($0.key) }
        for place in places.keys where !present.contains(place) && place != .service {
            missing[place] = missing[place] ?? now
        }
        handleMissing(at: now)
        presence(.online)
    }

    /// The service is gone.
    package mutating func serviceIsGone() {
        view = nil
        missing = [:]
        presence(.offline)
    }

    // MARK: The broker

    /// The broker is there, and may have anything or nothing of what it had.
    package mutating func connected() {
        isConnected = true
        leftovers = []
        retained.forget()
    }

    /// The broker is gone.
    package mutating func disconnected() { isConnected = false }

    /// Home Assistant has started, and wants to be told of everything.
    package mutating func homeAssistantStarted(at now: Double) {
        // Whoever may publish could otherwise make much out of little.
        guard now - lastBirth >= Self.birthPause else { return }
        lastBirth = now
        retained.forget()
    }

    /// The broker has this message on a topic for a configuration.
    package mutating func found(_ topic: String, isEmpty: Bool) {
        guard case .configuration(let place) = topics.meaning(of: topic) else { return }
        if !isEmpty {
            if leftovers.count < Self.mostLeftovers { leftovers.insert(topic) }
        } else if case .room = place, isKept(place) {
            // Somebody has deleted it in Home Assistant.
            forget(place)
        }
    }

    /// What is to be published now, in this order.
    package mutating func messages(at now: Double) -> [RetainedTopics.Message] {
        handleMissing(at: now)
        guard isConnected else { return [] }
        clearLeftovers()
        return retained.due(at: now)
    }

    /// When `messages` has to be called again though nothing else happens; nil for never.
    package var deadline: Double? {
        let removal = missing.filter { $0.key.isGroup }.values.min().map { $0 + Self.grace }
        let due = isConnected ? retained.nextDue() : nil
        return [removal, due].compactMap(\.self).min()
    }

    /// What has to be published at the end: that nothing can be reached any more.
    package var farewell: RetainedTopics.Message {
        .init(topic: topics.status, payload: HomeValues.bytes(Presence.offline.rawValue))
    }

    // MARK: Places

    /// The group of a slug.
    package func group(_ slug: String) -> HouseView.Group? {
        view?.groups.first { !$0.name.isEmpty && Slug.ofGroup($0.name) == slug }
    }

    /// The room of a slug.
    package func room(_ slug: String) -> RoomStatus? {
        view?.rooms.first { $0.id.map { Slug.ofRoom(id: $0) == slug } ?? false }
    }

    /// Sees to it that a place's entities are known by that name.
    ///
    /// - Returns: whether there is room for it.
    @discardableResult
    private mutating func configure(_ place: HomePlace, _ name: String) -> Bool {
        if places[place] == name { return true }
        guard places[place] != nil || places.count < Self.mostPlaces else { return false }
        places[place] = name
        for entity in HomeEntity.all(of: place) {
            let configuration = entity.configuration(of: place, called: name, in: topics, version: version)
            retained.want(
                topics.configuration(place, entity.component.rawValue, entity.key), JSONLine.encode(configuration),
                .configuration, every: 1)
        }
        return true
    }

    private mutating func want(_ values: [String: [UInt8]], at place: HomePlace) {
        for (name, value) in values {
            retained.want(
                topics.state(place, name), value, name == HomeEntity.availability ? .availability : .value,
                every: HomeValues.pause(of: name, value))
        }
    }

    private mutating func presence(_ presence: Presence) {
        retained.want(topics.status, HomeValues.bytes(presence.rawValue), .availability, every: 0)
    }

    /// Groups that are gone are removed. Rooms are kept: a speaker that is switched off comes back.
    private mutating func handleMissing(at now: Double) {
        for (place, since) in missing {
            if place.isGroup {
                if now - since >= Self.grace { forget(place) }
            } else {
                leave(place)
            }
        }
    }

    /// Whether it is on the broker only because it may come back.
    private func isKept(_ place: HomePlace) -> Bool {
        missing[place] != nil || places[place] == nil && retained.wants(topics.state(place, HomeEntity.availability))
    }

    private mutating func leave(_ place: HomePlace) {
        want([HomeEntity.availability: HomeValues.bytes(Presence.offline.rawValue)], at: place)
    }

    /// Removes a place from the broker, with all that it has there.
    private mutating func forget(_ place: HomePlace) {
        (places[place], missing[place]) = (nil, nil)
        for entity in HomeEntity.all(of: place) {
            retained.remove(topics.configuration(place, entity.component.rawValue, entity.key))
        }
        removeValues(of: place)
    }

    private mutating func removeValues(of place: HomePlace) {
        for state in Set(HomeEntity.all(of: place).compactMap(\.state)) { retained.remove(topics.state(place, state)) }
    }

    /// What an earlier run has left on the broker and this one does not have.
    private mutating func clearLeftovers() {
        guard view != nil else { return }
        for topic in leftovers {
            guard case .configuration(let place) = topics.meaning(of: topic), !retained.wants(topic) else { continue }
            if case .room = place, places[place] == nil {
                leave(place)
            } else {
                retained.remove(topic)
                if places[place] == nil { removeValues(of: place) }
            }
        }
        leftovers = []
    }
}

extension HomePlace {
    /// Whether it is a group.
    var isGroup: Bool { if case .group = self { true } else { false } }
}
