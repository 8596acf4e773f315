/// What a speaker makes known of itself.
package struct SpeakerRecord: Sendable, Hashable {
    /// The speaker's id; at most `SpeakerText.maximumValueBytes` bytes of UTF-8.
    package var id: String
    /// Its name, in any script; cut at `ServiceName.maximumBytes` bytes of UTF-8 for the service's name.
    package var name: String
    /// The TCP port of its control connection.
    package var port: UInt16
    /// The version of the protocol.
    package var version: String
    /// Whether a house has claimed it.
    package var isClaimed: Bool
    /// Whether it shows pictures.
    package var isScreen: Bool
    /// Its part in a group clock; nil for one that says nothing of it.
    package var clock: SpeakerClock?

    /// A record of these values.
    package init(
        id: String, name: String, port: UInt16, version: String, isClaimed: Bool, isScreen: Bool = false,
        clock: SpeakerClock? = nil
    ) {
        self.id = id
        self.name = name
        self.port = port
        self.version = version
        self.isClaimed = isClaimed
        self.isScreen = isScreen
        self.clock = clock
    }
}
