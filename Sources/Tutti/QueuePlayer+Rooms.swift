import TuttiRooms
import TuttiSchema
import TuttiSender

/// The outputs, all of which are rooms: a card of this host is one called `here`.
extension QueuePlayer {
    /// How the outputs stand; none before `play()`.
    public func rooms() async -> [PlayerRoom] { await player.status().rooms.map(PlayerRoom.init) }

    /// Sets how loud a room is, or all; rooms remember it.
    ///
    /// - Parameters:
    ///   - volume: 0 … 1.
    ///   - room: its name; nil for all.
    /// - Throws: `invalid`; `room` when there is none of this name, or it is not connected.
    public func setVolume(_ volume: Double, room: String? = nil) async throws(QueuePlayerError) {
        guard (0...1).contains(volume) else { throw .invalid("a volume is from 0 to 1") }
        try await ask { player throws(SenderError) in try await player.setVolume(.to(volume * 100), room: room) }
    }

    /// Silences a room, or all, or lets them be heard as loud as they were.
    ///
    /// - Throws: `room` when there is none of this name, or it is not connected.
    public func setMuted(_ isMuted: Bool, room: String? = nil) async throws(QueuePlayerError) {
        try await ask { player throws(SenderError) in try await player.setMuted(isMuted, room: room) }
    }
}
