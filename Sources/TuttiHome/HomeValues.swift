import TuttiCore
import TuttiRemote
import TuttiSchema

/// The values of a place, by the last level of their topics. What is not known is left out, and keeps what it had.
enum HomeValues {
    /// The longest state that Home Assistant takes, in Unicode scalars.
    static let longestState = 255

    /// What stands for "unknown" in Home Assistant.
    static let unknown = "None"

    /// Seconds between two messages of a topic, at least: figures change all the time and nobody waits for them, and a
    /// fade changes the volume of all rooms ten times a second.
    static func pause(of name: String, _ value: [UInt8]) -> Double {
        switch name {
        // That a figure is known, or no longer, is worth telling.
        case "sync-error" where value != bytes(unknown): 10
        case "buffered" where value != bytes(unknown): 30
        case "volume": 0.25
        default: 0.1
        }
    }

    /// Those of a group.
    static func of(_ group: HouseView.Group, in view: HouseView) -> [String: [UInt8]] {
        let status = group.status
        let rooms = rooms(of: group, in: view)
        var values: [String: [UInt8]] = [
            "state": bytes(GroupState(status?.state).rawValue), "track": JSONLine.encode(Track(status)),
            "sleep": bytes(status?.sleep.map(minutes) ?? "0"),
        ]
        values["volume"] = rooms.compactMap(\.volume).max().map { bytes(volume($0)) }
        if rooms.contains(where: { $0.muted != nil }) {
            values["mute"] = bytes(isOn(rooms.allSatisfy { $0.muted == true }))
        }
        values["repeat"] = status?.queue.repeat.map { bytes($0.rawValue) }
        values["shuffle"] = status?.queue.shuffle.map { bytes(isOn($0)) }
        return values
    }

    /// Those of a room that answers.
    static func of(_ room: RoomStatus, in view: HouseView) -> [String: [UInt8]] {
        let group = view.groups.first { group in
            group.isUnderWay && group.status?.rooms.contains { $0.isSame(as: room) && $0.state != .taken } == true
        }
        let position = group?.position(at: group?.statusTime ?? 0)
        var values: [String: [UInt8]] = [
            "state": bytes(room.state.rawValue), "group": bytes(group.map { state($0.name) } ?? unknown),
            "sync-error": bytes(room.syncErrorUs.flatMap(microseconds) ?? unknown),
            "buffered": bytes(position.flatMap { room.loaded.seconds(ahead: $0) }.flatMap(whole) ?? unknown),
        ]
        values["volume"] = room.volume.map { bytes(volume($0)) }
        values["mute"] = room.muted.map { bytes(isOn($0)) }
        return values
    }

    /// How the rooms of a group stand, as far as that is known.
    static func rooms(of group: HouseView.Group, in view: HouseView) -> [RoomStatus] {
        if group.isUnderWay, let rooms = group.status?.rooms { return rooms }
        return group.rooms.compactMap { wanted in
            view.rooms.first { Names.areSame($0.name, RoomName.bare(wanted)) }
        }
    }

    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// A text as a state can be, at most as long as Home Assistant takes it.
    static func state(_ text: String) -> String {
        text.unicodeScalars.count <= longestState
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestState - 1))) + "…"
    }

    private static func isOn(_ value: Bool) -> String { value ? "ON" : "OFF" }

    private static func volume(_ value: Double) -> String { whole(min(max(value, 0), 100)) ?? "0" }

    /// Minutes that are left, begun ones whole.
    private static func minutes(_ seconds: Double) -> String { whole((seconds / 60).rounded(.up)) ?? "0" }

    private static func microseconds(_ value: Double) -> String? {
        guard let tenths = Int(exactly: (value * 10).rounded()) else { return nil }
        return (tenths < 0 ? "-" : "") + "\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }

    /// A number without its fraction; nil for what is none.
    private static func whole(_ value: Double) -> String? { Int(exactly: value.rounded()).map { "\($0)" } }

    /// What a group plays; fields that are not known are null.
    private struct Track: Encodable {
        let title, artist, album, station, uri: String?
        let duration: Double?
        let index: Int?

        init(_ status: PlayerStatus?) {
            let item = status?.item
            title = (item?.title ?? item.map { Self.name(of: $0.uri) }).map(HomeValues.state)
            artist = item?.artist.map(HomeValues.state)
            album = item?.album.map(HomeValues.state)
            station = item?.station.map(HomeValues.state)
            uri = item?.uri
            duration = item?.duration.flatMap { $0.isFinite ? $0 : nil }
            index = item?.index
        }

        /// The last part of a path or an address.
        private static func name(of uri: String) -> String { uri.split(separator: "/").last.map(String.init) ?? uri }

        private enum CodingKeys: String, CodingKey { case title, artist, album, station, uri, duration, index }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: CodingKeys.self)
            try object.encode(title, forKey: .title)
            try object.encode(artist, forKey: .artist)
            try object.encode(album, forKey: .album)
            try object.encode(station, forKey: .station)
            try object.encode(uri, forKey: .uri)
            try object.encode(duration, forKey: .duration)
            try object.encode(index, forKey: .index)
        }
    }
}

/// A room as `--room` takes it.
enum RoomName {
    /// The name alone, of a room that may be written with its address.
    static func bare(_ text: String) -> String {
        text.lastIndex(of: "@").map { String(text[..<$0]) } ?? text
    }

    /// A room so that no other one is meant.
    static func full(_ room: RoomStatus) -> String {
        room.address.isEmpty ? room.name : "\(room.name)@\(room.address)"
    }
}

extension RoomStatus {
    /// Whether both are of one speaker.
    func isSame(as other: RoomStatus) -> Bool {
        self.id == nil || other.id == nil ? Names.areSame(self.name, other.name) : self.id == other.id
    }
}

extension HouseView.Group {
    /// Whether it has its rooms now.
    var isUnderWay: Bool { status.map { ![.stopped, .ended].contains($0.state) } ?? false }
}
