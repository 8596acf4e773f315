package import TuttiSchema

/// A room as an output of MPD.
package struct MPDRoomOutput: Sendable, Equatable {
    /// Stays the room's own for as long as this process runs.
    package var id: Int
    package var room: RoomStatus

    /// Its volume in whole per cent; nil while that is not known.
    package var volume: Int? { Self.percent(self.room.volume) }

    /// A volume of 0 … 100 as a whole number.
    package static func percent(_ volume: Double?) -> Int? {
        guard let volume, volume.isFinite else { return nil }
        return Int(min(max(volume, 0), 100).rounded())
    }
}
