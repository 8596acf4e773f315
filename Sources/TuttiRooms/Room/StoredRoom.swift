package import TuttiCore
import TuttiWire

/// A room as it is written down: what is needed to find it, and to resume in it.
package struct StoredRoom: Sendable, Equatable, Codable {
    /// Where it was found last.
    package var address: RoomAddress
    /// Whether the address came from the network and may be looked up again.
    package var isDiscovered: Bool
    /// The speaker's id, once it has answered.
    package var speakerID: String?
    /// The volume that it was told, 0 … 100, while it has not confirmed that; else nil.
    package var percent: Double?
    /// Whether it was told to be silent; counts with `percent`.
    package var isMuted: Bool
    /// The generation of the audio that it was sent last.
    package var generation: UInt32
    /// What it was told to drop and has not confirmed.
    package var flushes: [Flush]
    /// How loud it would be were there no ends to the scale; nil where its volume was set alone.
    package var balance: Double?

    /// Audio that a room was told to drop.
    package struct Flush: Sendable, Equatable, Codable {
        /// The generation that came with it.
        package var generation: UInt32
        /// From where on; nil for all of it.
        package var from: MediaTime?
    }

    /// A room that nothing is known of yet.
    package init(_ address: RoomAddress) {
        (self.address, isDiscovered) = (address, address.host == nil)
        (isMuted, generation, flushes) = (false, 0, [])
    }

    /// A room as it is now.
    init(_ room: Room) {
        (address, isDiscovered, speakerID) = (room.address, room.isDiscovered, room.speakerID)
        (percent, isMuted) = (room.loudness.unconfirmed?.percent, room.loudness.unconfirmed?.isMuted ?? false)
        generation = room.session.generation
        flushes = room.session.unanswered.map { Flush(generation: $0.generation, from: $0.from) }
        balance = room.loudness.balance
    }
}
