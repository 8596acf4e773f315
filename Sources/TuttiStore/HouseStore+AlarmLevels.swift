import GRDB
package import TuttiSender

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
        let (levels, damaged) = try read { db in
            var levels: [String: Level] = [:]
            var damaged: [DamagedRow] = []
            for row in try Row.fetchAll(db, sql: "SELECT room, volume, muted FROM alarmLevel") {
                if let room: String = row.value("room"), let volume: Double = row.value("volume"),
                    (0...100).contains(volume), let isMuted: Bool = row.value("muted")
                {
                    levels[room] = Level(volume: volume, isMuted: isMuted)
                } else {
                    damaged.append(DamagedRow("alarmLevel", row, key: ["room"]))
                }
            }
            return (levels, damaged)
        }
        try? setAside(damaged, called: "alarm volume")
        return levels
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
