/// A speaker on the network, as `tutti rooms --json` prints it. The names are those of `docs/json.md`.
package struct SpeakerListing: Sendable, Equatable, Codable {
    /// What the room is called.
    package var name: String
    /// The speaker's id.
    package var id: String
    /// `HOST:PORT`.
    package var address: String
    /// Of its program.
    package var version: String
    /// Whether it shows pictures; left out where it does not.
    package var screen: Bool?
    /// Whom it belongs to: `household`, `nobody`, `other`, `mismatch`, `open` or `unreachable`; nil where nobody asked.
    package var trust: String?
    /// The fingerprint of the key that this host remembers for the room.
    package var pin: String?
    /// The id of its household.
    package var household: String?
    /// The id of the sender that has claimed it.
    package var claimedBy: String?
    /// What that sender is called.
    package var claimedByName: String?

    /// A speaker of which no more is known.
    package init(name: String, id: String, address: String, version: String) {
        (self.name, self.id, self.address, self.version) = (name, id, address, version)
    }
}
