import GRDB
package import TuttiSender

/// The rooms that were played in.
extension HouseStore {
    /// What is known of a room.
    package struct KnownRoom: Sendable, Equatable {
        /// Its name, by which it is kept.
        package var name: String
        /// The speaker's id.
        package var speaker: String?
        /// `HOST:PORT`, as it was last.
        package var address: String
        /// 0 … 100, as it was last.
        package var volume: Double?
        /// Whether it was silent.
        package var isMuted: Bool?

        /// A room.
        package init(name: String, speaker: String?, address: String, volume: Double?, isMuted: Bool?) {
            self.name = name
            self.speaker = speaker
            self.address = address
            self.volume = volume
            self.isMuted = isMuted
        }
    }

    /// All rooms, by name; those that cannot be understood are set aside.
    package func rooms() throws(SenderError) -> [KnownRoom] {
        let (rooms, damaged) = try read { db in
            var rooms: [KnownRoom] = []
            var damaged: [DamagedRow] = []
            for row in try Row.fetchAll(db, sql: "SELECT * FROM room ORDER BY name") {
                if let room = KnownRoom(row) {
                    rooms.append(room)
                } else {
                    damaged.append(DamagedRow("room", row, key: ["name"]))
                }
            }
            return (rooms, damaged)
        }
        try? setAside(damaged, called: "room")
        return rooms
    }

    /// Remembers rooms as they are now.
    package func remember(_ rooms: [KnownRoom]) throws(SenderError) {
        try write { db in
            for room in rooms {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO room (name, speaker, address, volume, muted) VALUES (?, ?, ?, ?, ?)",
                    arguments: [room.name, room.speaker, room.address, room.volume, room.isMuted])
            }
        }
    }

    // MARK: Fades

    /// How loud rooms are to be once their fades are over, by name.
    package func fades() throws(SenderError) -> [String: Double] {
        let (fades, damaged) = try read { db in
            var fades: [String: Double] = [:]
            var damaged: [DamagedRow] = []
            for row in try Row.fetchAll(db, sql: "SELECT room, volume FROM fade") {
                if let room: String = row.value("room"), let volume: Double = row.value("volume"),
                    (0...100).contains(volume)
                {
                    fades[room] = volume
                } else {
                    damaged.append(DamagedRow("fade", row, key: ["room"]))
                }
            }
            return (fades, damaged)
        }
        try? setAside(damaged, called: "fade")
        return fades
    }

    /// Remembers, before a fade, how loud rooms are to be once it is over.
    package func beginFades(_ volumes: [String: Double]) throws(SenderError) {
        try write { db in
            for (room, volume) in volumes {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO fade (room, volume) VALUES (?, ?)", arguments: [room, volume])
            }
        }
    }

    /// The rooms are as loud as they are to be.
    package func endFades(_ rooms: [String]) throws(SenderError) {
        try write { db in
            for room in rooms { try db.execute(sql: "DELETE FROM fade WHERE room = ?", arguments: [room]) }
        }
    }
}

extension HouseStore.KnownRoom {
    /// The room in a row; nil for a damaged one. A volume that is none is not known.
    fileprivate init?(_ row: Row) {
        guard let name: String = row.value("name"), let address: String = row.value("address") else { return nil }
        let volume: Double? = row.value("volume")
        self.init(
            name: name, speaker: row.value("speaker"), address: address,
            volume: volume.flatMap { (0...100).contains($0) ? $0 : nil }, isMuted: row.value("muted"))
    }
}
