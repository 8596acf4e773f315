/// A speaker as it is seen on the network. Everything in it is what someone on the network claims.
package struct DiscoveredSpeaker: Sendable, Hashable {
    /// The id that it gives; empty when it gives none.
    package let id: String
    /// Its name; unique among the speakers that are seen at one time.
    package let name: String
    /// Its host's name, as in `kitchen.local`.
    package let host: String
    /// Numeric addresses, the best first: IPv4, then IPv6; link-local and loopback ones last in their family.
    ///
    /// Link-local IPv6 addresses carry their interface, as in `fe80::1%eth0`.
    package let addresses: [String]
    /// The TCP port of its control connection.
    package let port: UInt16
    /// The version of the protocol that it speaks; empty when it does not say.
    package let version: String
    /// Whether it says that a house has claimed it.
    package let claimed: Bool
    /// Whether it says that it shows pictures.
    package let isScreen: Bool
    /// Its part in a group clock; nil where it says nothing of it.
    package let clock: SpeakerClock?

    /// Whether it keeps its name to its household.
    package var hidesName: Bool { !id.isEmpty && name == ServiceName.withoutName(id: id) }

    /// A speaker of these values.
    package init(
        id: String, name: String, host: String, addresses: [String], port: UInt16, version: String, claimed: Bool,
        isScreen: Bool = false, clock: SpeakerClock? = nil
    ) {
        self.id = id
        self.name = name
        self.host = host
        self.addresses = addresses
        self.port = port
        self.version = version
        self.claimed = claimed
        self.isScreen = isScreen
        self.clock = clock
    }
}
