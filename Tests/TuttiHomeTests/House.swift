import Foundation
import TuttiCore
import TuttiHome
import TuttiRemote
import TuttiSchema

/// A house to try things with: `Downstairs` plays in kitchen and bath, `Attic` has a name and nothing to play.
enum House {
    static let topics = HomeTopics(node: "n1")

    static func model() -> HomeModel { HomeModel(topics: topics, host: "music", version: "1.2") }

    static func room(_ name: String, _ id: String, _ state: RoomStatus.State = .playing) -> RoomStatus {
        var room = RoomStatus(name: name, id: id, address: "10.0.0.1:7700", state: state)
        (room.volume, room.muted) = (40, false)
        return room
    }

    static func status(_ state: PlayerStatus.State = .playing, _ rooms: [RoomStatus]? = nil) -> PlayerStatus {
        var status = PlayerStatus(
            state: state, position: 10, rate: 1,
            item: PlayerStatus.Item(index: 0, id: 1, title: "Air", artist: "Bach", duration: 200, uri: "/srv/air.flac"),
            queue: PlayerStatus.Queue(length: 2, index: 0, repeat: .all, shuffle: false),
            rooms: rooms ?? [room("kitchen", "aa"), room("Bad", "bb")])
        status.group = "Downstairs"
        return status
    }

    static func view(
        _ status: PlayerStatus? = status(),
        named: [String: [String]] = ["Downstairs": ["kitchen", "bad"], "Attic": ["attic"]],
        rooms: [RoomStatus] = [room("kitchen", "aa"), room("Bad", "bb"), room("attic", "cc", .idle)]
    ) -> HouseView {
        var view = HouseView()
        var levels = ControlResponse()
        levels.status = Self.status(.stopped, rooms)
        view.take(levels: levels)
        var response = ControlResponse()
        response.playing = status.map { [$0] } ?? []
        view.take(status: response, named: named, at: 100)
        return view
    }

    /// A model whose broker has everything.
    static func shown(_ view: HouseView = view(), at now: Double = 0) -> HomeModel {
        var model = model()
        model.connected()
        model.take(view, at: now)
        _ = model.messages(at: now)
        return model
    }
}

extension [RetainedTopics.Message] {
    /// The payload of a topic; nil if there is no message.
    func text(_ topic: String) -> String? {
        last { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    /// The payload as an object.
    func object(_ topic: String) -> [String: Any] {
        let data = Data((text(topic) ?? "").utf8)
        return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }
}
