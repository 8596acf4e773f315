import GRDB
import TuttiDatabase
package import TuttiRooms
import TuttiSender

/// How loud rooms were before an alarm changed that.
extension HouseStore {
    /// A room's volume, and whether it was muted.
    package struct Level: Sendable, Equatable {
        /// 0 … 100.
        package var volume: Double
        /// Silent, whatever the volume.
        package var isMuted: Bool

        /// A level.
        package init(volume: Double, isMuted: Bool) {
            self.volume = volume
            self.isMuted = isMuted
        }
    }

    /// All that is to be put back, by room.
    package func alarmLevels() throws(SenderError) -> [String: Level] {
        try byKey("alarmLevel", key: "room", called: "alarm volume") { row in
            guard let volume = row.volume, let isMuted: Bool = row.value("muted") else { return nil }
            return Level(volume: volume, isMuted: isMuted)
        }
    }

    /// Remembers rooms as they are before an alarm; what an earlier alarm has not put back yet stays.
    package func beginAlarm(_ levels: [String: Level]) throws(SenderError) {
        try write { db in
            for (room, level) in levels {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO alarmLevel (room, volume, muted) VALUES (?, ?, ?)",
                    arguments: [room, level.volume, level.isMuted])
            }
        }
    }

    /// The rooms are as they were, or somebody has set them since.
    package func endAlarm(_ rooms: [String]) throws(SenderError) {
        try write { db in
            for room in rooms { try db.execute(sql: "DELETE FROM alarmLevel WHERE room = ?", arguments: [room]) }
        }
    }
}
