import TuttiCore
import TuttiRemote
import TuttiSchema

/// Groups as a service reports them.
enum Sample {
    static func room(_ name: String, volume: Double? = 40, muted: Bool = false) -> RoomStatus {
        var room = RoomStatus(name: name, id: name, address: "\(name).local:7700", state: .playing)
        (room.volume, room.muted) = (volume, muted)
        return room
    }

    static func item(_ id: UInt64 = 7, duration: Double? = 200) -> PlayerStatus.Item {
        PlayerStatus.Item(
            index: Int(id), id: id, title: "Air", artist: "Bach", album: "Suites", duration: duration,
            uri: "/srv/Suites, 1/air.flac")
    }

    static func status(
        _ state: PlayerStatus.State = .playing, position: Double = 10, rate: Double = 1,
        item: PlayerStatus.Item? = item(), index: Int = 0, length: Int = 3,
        rooms: [RoomStatus] = [room("kitchen"), room("bath", volume: 20)]
    ) -> PlayerStatus {
        PlayerStatus(
            state: state, position: position, rate: state == .playing ? rate : 0, item: item,
            queue: PlayerStatus.Queue(length: length, index: index, repeat: .off, shuffle: false, consume: false),
            rooms: rooms)
    }

    static func group(
        _ status: PlayerStatus?, named name: String = "downstairs", at time: Double = 100
    ) -> HouseView.Group {
        HouseView.Group(
            name: name, rooms: ["kitchen", "bath@bath.local:7700"], isNamed: !name.isEmpty, status: status,
            statusTime: time)
    }
}
