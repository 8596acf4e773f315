import GRDB
import TuttiCore
import TuttiDatabase
package import TuttiRooms
import TuttiSchema
import TuttiSender

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
        try all("room", key: "name", called: "room", KnownRoom.init)
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

    /// A room is called otherwise from now on: in groups and schedules, and in what is known of it.
    package func renameRoom(_ name: String, to newName: String) throws(SenderError) {
        func renamed(_ room: RoomAddress) -> RoomAddress {
            guard Names.areSame(room.name, name) else { return room }
            return RoomAddress(name: newName, host: room.host, port: room.port)
        }
        let groups = try groups()
        let schedules = try schedules()
        try write { db in
            for sql in [
                "UPDATE OR REPLACE room SET name = ? WHERE name = ?",
                "UPDATE OR REPLACE fade SET room = ? WHERE room = ?",
                "UPDATE OR REPLACE alarmLevel SET room = ? WHERE room = ?",
            ] { try db.execute(sql: sql, arguments: [newName, name]) }
            for (group, rooms) in groups where rooms.map(renamed) != rooms {
                try Self.save(rooms.map(renamed), as: group, in: db)
            }
        }
        for (number, schedule) in schedules {
            guard var order = schedule.order else { continue }
            let rooms = order.rooms.map { text in
                (try? RoomAddress(parsing: text)).map { renamed($0).description } ?? text
            }
            guard rooms != order.rooms else { continue }
            order.rooms = rooms
            var changed = schedule
            changed.order = order
            // One for a single room is called after that.
            if order.groups.isEmpty, Names.areSame(schedule.group, name) { changed.group = newName }
            try updateSchedule(number, changed)
        }
    }

    // MARK: Fades

    /// How loud rooms are to be once their fades are over, by name.
    package func fades() throws(SenderError) -> [String: Double] {
        try byKey("fade", key: "room", called: "fade", \.volume)
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
        self.init(
            name: name, speaker: row.value("speaker"), address: address, volume: row.volume, isMuted: row.value("muted")
        )
    }
}
