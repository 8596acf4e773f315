/// Where everything is on the broker.
package struct HomeTopics: Sendable, Equatable {
    /// What all topics of all services begin with.
    package let prefix: String
    /// Where Home Assistant looks for configurations.
    package let discoveryPrefix: String
    /// Which service this is, the same at each start.
    package let node: String

    /// - Parameters:
    ///   - prefix: one level or several, without wildcards.
    ///   - discoveryPrefix: likewise.
    ///   - node: a valid slug; another text is made one.
    package init(prefix: String = "tutti", discoveryPrefix: String = "homeassistant", node: String) {
        (self.prefix, self.discoveryPrefix) = (prefix, discoveryPrefix)
        self.node = Slug.isValid(node) ? node : Slug.ofGroup(node)
    }

    /// `online` or `offline`: whether the service can be reached through this broker.
    package var status: String { state(.service, "status") }

    /// Where Home Assistant says `online` when it has started.
    package var birth: String { "\(discoveryPrefix)/status" }

    /// Where a value of a place is retained.
    package func state(_ place: HomePlace, _ name: String) -> String { "\(prefix)/\(node)\(place.path)/\(name)" }

    /// Where a place takes a command.
    package func command(_ place: HomePlace, _ word: HomeWord) -> String { state(place, "set/\(word.rawValue)") }

    /// Where the configuration of an entity is retained.
    package func configuration(_ place: HomePlace, _ component: String, _ key: String) -> String {
        "\(discoveryPrefix)/\(component)/\(node)/\(place.identifier)_\(key)/config"
    }

    /// What has to be listened to: commands, Home Assistant's start, and the configurations that are there.
    package var subscriptions: [String] {
        [
            state(.service, "set/+"), "\(prefix)/\(node)/+/+/set/+", birth,
            "\(discoveryPrefix)/+/\(node)/+/config",
        ]
    }

    /// What a topic of a message is.
    package enum Meaning: Sendable, Equatable {
        /// A command, or one whose word is unknown.
        case command(HomePlace, word: String)
        /// Home Assistant's state.
        case birth
        /// An entity's configuration.
        case configuration(HomePlace)
        /// Nothing that is listened to.
        case other
    }

    /// What a message is about.
    package func meaning(of topic: String) -> Meaning {
        if topic == birth { return .birth }
        if let rest = topic.after("\(prefix)/\(node)/") {
            let levels = rest.split(separator: "/", omittingEmptySubsequences: false)
            if levels.count == 2, levels[0] == "set" { return .command(.service, word: String(levels[1])) }
            guard levels.count == 4, levels[2] == "set", let place = HomePlace(kind: levels[0], slug: levels[1]) else {
                return .other
            }
            return .command(place, word: String(levels[3]))
        }
        if let rest = topic.after("\(discoveryPrefix)/") {
            let levels = rest.split(separator: "/", omittingEmptySubsequences: false)
            guard levels.count == 4, levels[1] == node, levels[3] == "config", let end = levels[2].lastIndex(of: "_"),
                let place = HomePlace(identifier: levels[2][..<end])
            else { return .other }
            return .configuration(place)
        }
        return .other
    }
}

extension String {
    /// What stands behind a beginning; nil if it does not begin so.
    fileprivate func after(_ beginning: String) -> Substring? {
        hasPrefix(beginning) ? dropFirst(beginning.count) : nil
    }
}
