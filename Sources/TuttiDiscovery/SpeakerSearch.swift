import TuttiCore

/// The search for speakers of given names, event by event.
package struct SpeakerSearch {
    /// How the search stands.
    package enum Outcome: Equatable {
        /// A name is missing, or the network has not been heard out.
        case incomplete
        /// All names are found, one of them without an IPv4 address.
        case withoutIPv4
        /// All names are found.
        case complete
        /// The browser failed.
        case failed(DiscoveryError)
    }

    private let names: Set<String>
    private let folded: Set<String>
    private let ids: [String: String]
    private var found: [DiscoveredSpeaker] = []
    private var isSettled = false

    /// A search for these names or ids; for all where there are none. Speakers that keep their names to their household
    /// are kept as well, for they may be meant.
    ///
    /// - Parameter ids: the ids of those speakers that are known by their names.
    package init(names: Set<String>, ids: [String: String] = [:]) {
        self.names = names
        self.ids = ids
        folded = Set(names.map(Names.fold))
    }

    /// What was found, by name.
    package var speakers: [DiscoveredSpeaker] { found.sorted { $0.name < $1.name } }

    /// Takes an event of the browser.
    package mutating func received(_ event: DiscoveryEvent) -> Outcome {
        switch event {
        case .found(let speaker):
            guard
                names.isEmpty || folded.contains(Names.fold(speaker.name)) || names.contains(speaker.id)
                    || speaker.hidesName
            else { break }
            found.removeAll { $0.name == speaker.name && $0.host == speaker.host }
            found.append(speaker)
        case .lost(let speaker): found.removeAll { $0.name == speaker.name && $0.host == speaker.host }
        case .settled: isSettled = true
        case .failed(let error): return .failed(error)
        }
        let isEveryNameFound = names.allSatisfy { name in
            found.contains { Names.areSame($0.name, name) || $0.id == name || ($0.hidesName && $0.id == ids[name]) }
        }
        guard names.isEmpty ? isSettled : isEveryNameFound else { return .incomplete }
        let hasIPv4 = found.allSatisfy { $0.addresses.contains { !$0.contains(":") } }
        return hasIPv4 || isSettled ? .complete : .withoutIPv4
    }
}
