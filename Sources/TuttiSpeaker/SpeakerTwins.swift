package import TuttiDiscovery

/// Other speakers that show this one's key, as after a state folder was copied to another host.
package struct SpeakerTwins {
    private let id: String
    private let port: UInt16
    private var told: Set<String> = []

    /// Places that are told of: anybody can announce anything by mDNS, and the log is to stay short.
    package static let limit = 8

    /// - Parameters:
    ///   - id: this speaker's.
    ///   - port: where it listens.
    package init(id: String, port: UInt16) { (self.id, self.port) = (id, port) }

    /// Where such speakers are that were not told of before.
    ///
    /// - Parameters:
    ///   - speakers: those that are seen, this one among them.
    ///   - own: this host's addresses, without interfaces.
    package mutating func news(among speakers: some Sequence<DiscoveredSpeaker>, own: Set<String>) -> [String] {
        var places: [String] = []
        for speaker in speakers where speaker.id == id && told.count < Self.limit {
            let addresses = speaker.addresses.map { String($0.prefix { $0 != "%" }) }
            guard let first = addresses.first else { continue }
            if speaker.port == port, addresses.contains(where: own.contains) { continue }
            let place = "\(first.contains(":") ? "[\(first)]" : first):\(speaker.port)"
            // More of its addresses may be known later: it is the same one.
            if told.insert("\(speaker.name) \(speaker.host) \(speaker.port)").inserted { places.append(place) }
        }
        return places
    }
}
