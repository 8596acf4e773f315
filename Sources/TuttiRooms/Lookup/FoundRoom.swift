/// A room that the network tells of. Everything in it is what someone on the network claims.
package struct FoundRoom: Sendable, Hashable {
    /// Its name and its best address.
    package var room: RoomAddress
    /// The speaker's id; empty when it gives none.
    package var id: String
    /// The version of the protocol that it speaks; empty when it does not say.
    package var version: String
    /// Whether the speaker says that it belongs to a household.
    package var isClaimed: Bool
    /// Whether the speaker says that it shows pictures.
    package var isScreen: Bool

    /// A room of these values.
    package init(room: RoomAddress, id: String, version: String, isClaimed: Bool, isScreen: Bool = false) {
        self.room = room
        self.id = id
        self.version = version
        self.isClaimed = isClaimed
        self.isScreen = isScreen
    }
}
