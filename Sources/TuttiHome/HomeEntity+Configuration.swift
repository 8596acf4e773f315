import TuttiSchema

extension HomeEntity {
    /// What Home Assistant is told of it.
    ///
    /// - Parameters:
    ///   - name: what people call the place.
    ///   - version: of this program.
    func configuration(
        of place: HomePlace, called name: String, in topics: HomeTopics, version: String
    ) -> EntityConfiguration {
        var configuration = EntityConfiguration(
            name: self.name, uniqueID: "tutti_\(topics.node)_\(place.identifier)_\(key)",
            device: Self.device(place, name, topics, version), origin: .init(softwareVersion: version),
            availability: availability(of: place, topics).map { .init(topic: $0) }, availabilityMode: "all")
        configuration.stateTopic = state.map { topics.state(place, $0) }
        configuration.commandTopic = word.map { topics.command(place, $0) }
        configuration.icon = icon
        take(extras, into: &configuration)
        if configuration.availability?.isEmpty == true {
            (configuration.availability, configuration.availabilityMode) = (nil, nil)
        }
        return configuration
    }

    /// The topics that say whether it can be used. What tells that something is away must not go away with it.
    private func availability(of place: HomePlace, _ topics: HomeTopics) -> [String] {
        let isTeller = extras == .connectivity
        switch place {
        case .service: return isTeller ? [] : [topics.status]
        case .group: return [topics.status]
        case .room: return [topics.status] + (isTeller ? [] : [topics.state(place, HomeEntity.availability)])
        }
    }

    /// The topic of a room that says whether it answers.
    static let availability = "availability"

    private func take(_ extras: Extras, into configuration: inout EntityConfiguration) {
        switch extras {
        case .none: break
        case .field(let field, let hasAttributes):
            configuration.valueTemplate = "{{ value_json.\(field) }}"
            if hasAttributes { configuration.attributesTopic = configuration.stateTopic }
        case .words(let words):
            configuration.options = words
            // What is chosen from is no device class; what is shown is.
            if component == .sensor { configuration.deviceClass = "enum" }
        case .range(let range, let unit, let mode):
            (configuration.minimum, configuration.maximum) = (range.lowerBound, range.upperBound)
            (configuration.step, configuration.unit, configuration.mode) = (1, unit, mode)
        case .figure(let unit):
            (configuration.unit, configuration.stateClass) = (unit, "measurement")
            configuration.entityCategory = "diagnostic"
        case .connectivity:
            configuration.deviceClass = "connectivity"
            configuration.entityCategory = "diagnostic"
            (configuration.payloadOn, configuration.payloadOff) = (Presence.online.rawValue, Presence.offline.rawValue)
        }
    }

    private static func device(
        _ place: HomePlace, _ name: String, _ topics: HomeTopics, _ version: String
    ) -> EntityConfiguration.Device {
        let service = "tutti_\(topics.node)"
        switch place {
        case .service:
            return .init(
                identifiers: [service], name: "Tutti on \(name)", model: "Service", softwareVersion: version)
        case .group:
            return .init(
                identifiers: ["\(service)_\(place.identifier)"], name: name, model: "Group", viaDevice: service)
        case .room:
            return .init(
                identifiers: ["\(service)_\(place.identifier)"], name: "\(name) speaker", model: "Room",
                suggestedArea: name, viaDevice: service)
        }
    }

    /// The words for what a room does.
    static let roomStates = RoomStatus.State.allCases.map(\.rawValue)
}

/// Whether something can be reached.
enum Presence: String {
    case online, offline
}

/// What a group does, in the words of Home Assistant's media players.
enum GroupState: String, CaseIterable {
    case playing, paused, buffering, idle

    init(_ state: PlayerStatus.State?) {
        switch state {
        case .playing: self = .playing
        case .paused: self = .paused
        case .starting, .buffering: self = .buffering
        case .ended, .stopped, nil: self = .idle
        }
    }
}
