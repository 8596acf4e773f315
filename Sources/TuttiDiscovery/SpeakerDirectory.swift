/// The speakers that are seen, put together from what is seen on each interface and by each protocol.
package struct SpeakerDirectory {
    /// One sight of a service.
    package struct Sight: Hashable {
        package let interface: Int32
        package let isIPv6: Bool
        package let name: String
        package let domain: String

        /// The sight of a service on one interface by one protocol.
        package init(interface: Int32, isIPv6: Bool, name: String, domain: String) {
            self.interface = interface
            self.isIPv6 = isIPv6
            self.name = name
            self.domain = domain
        }
    }

    /// What a sight resolved to.
    package struct Resolution: Equatable {
        package let host: String
        package let address: String
        package let port: UInt16
        package let text: SpeakerText

        /// An address with what the service says of itself.
        package init(host: String, address: String, port: UInt16, text: SpeakerText) {
            self.host = host
            self.address = address
            self.port = port
            self.text = text
        }
    }

    /// The most sights that are kept; more are passed over.
    package static let maximumSights = 1_024

    private struct Service: Hashable {
        let name: String
        let domain: String
    }

    private var sights: [Sight: Resolution?] = [:]
    private var unresolved: Set<Sight> = []
    private var told: [Service: DiscoveredSpeaker] = [:]

    /// A directory in which nothing is seen yet.
    package init() {}

    /// Whether everything that appeared has resolved or failed to.
    package var isResolved: Bool { unresolved.isEmpty }

    /// A service is seen; false when it is known or there are too many.
    package mutating func appeared(_ sight: Sight) -> Bool {
        guard sights[sight] == nil, sights.count < Self.maximumSights else { return false }
        sights[sight] = .some(nil)
        unresolved.insert(sight)
        return true
    }

    /// A sight resolved, for the first time or anew.
    package mutating func resolved(_ sight: Sight, to resolution: Resolution) -> [DiscoveryEvent] {
        guard sights[sight] != nil else { return [] }
        unresolved.remove(sight)
        sights[sight] = .some(resolution)
        return update(Service(name: sight.name, domain: sight.domain))
    }

    /// A sight does not resolve; what is known from other sights stays.
    package mutating func failed(_ sight: Sight) -> [DiscoveryEvent] {
        guard sights[sight] != nil else { return [] }
        unresolved.remove(sight)
        sights[sight] = .some(nil)
        return update(Service(name: sight.name, domain: sight.domain))
    }

    /// A service is no longer seen there.
    package mutating func disappeared(_ sight: Sight) -> [DiscoveryEvent] {
        guard sights.removeValue(forKey: sight) != nil else { return [] }
        unresolved.remove(sight)
        return update(Service(name: sight.name, domain: sight.domain))
    }

    /// Nothing is seen any more.
    package mutating func clear() -> [DiscoveryEvent] {
        sights = [:]
        unresolved = []
        defer { told = [:] }
        return told.values.sorted { $0.name < $1.name }.map { .lost($0) }
    }

    private mutating func update(_ service: Service) -> [DiscoveryEvent] {
        let before = told[service]
        let after = speaker(of: service)
        guard before != after else { return [] }
        told[service] = after
        if let after { return [.found(after)] }
        return before.map { [.lost($0)] } ?? []
    }

    private func speaker(of service: Service) -> DiscoveredSpeaker? {
        let resolutions =
            sights.filter { $0.key.name == service.name && $0.key.domain == service.domain }
            .sorted { ($0.key.isIPv6 ? 1 : 0, $0.key.interface) < ($1.key.isIPv6 ? 1 : 0, $1.key.interface) }
            .compactMap { $0.value }
        guard let first = resolutions.first else { return nil }
        var addresses: [String] = []
        for resolution in resolutions where !addresses.contains(resolution.address) {
            addresses.append(resolution.address)
        }
        return DiscoveredSpeaker(
            id: first.text.id, name: first.text.name.isEmpty ? service.name : first.text.name, host: first.host,
            addresses: addresses.sorted { Self.rank($0) < Self.rank($1) }, port: first.port,
            version: first.text.version, claimed: first.text.isClaimed, isScreen: first.text.isScreen,
            clock: first.text.clock)
    }

    /// The order of preference; equals keep their places.
    private static func rank(_ address: String) -> Int {
        let isIPv6 = address.contains(":")
        let isLoopback = isIPv6 ? address == "::1" : address.hasPrefix("127.")
        let isLinkLocal = isIPv6 ? address.hasPrefix("fe80:") : address.hasPrefix("169.254.")
        return (isIPv6 ? 3 : 0) + (isLoopback ? 2 : isLinkLocal ? 1 : 0)
    }
}
