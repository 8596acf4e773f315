package import TuttiCore
package import TuttiSchema

/// A partition: a group of the service, or one that could be.
package struct MPDPartition: Sendable, Equatable {
    /// What is set for a queue.
    package struct Options: Sendable, Equatable {
        package var repeatMode = RepeatMode.off
        package var isShuffled = false
        package var consumes = false
        /// Seconds.
        package var crossfade = 0.0
        package var normalization = LoudnessNormalization.off
    }

    /// The group's name; empty for a queue that has no room yet.
    package var name: String
    /// Whether the service keeps the name.
    package var isNamed: Bool
    /// Whether clients keep it though the service does not know it.
    package var isKept = false
    /// Its rooms, each as `--room` takes them.
    package var rooms: [String]
    /// How the group stands; nil if it neither plays nor has a queue.
    package var status: PlayerStatus?
    /// When that was true, in seconds of the service watch's clock.
    package var statusTime = 0.0
    package var options = Options()
    package var queue = MPDQueue()
    /// Why a track was not played, until somebody clears it or another track plays.
    package var error: String?

    package init(name: String, isNamed: Bool, rooms: [String]) {
        (self.name, self.isNamed, self.rooms) = (name, isNamed, rooms)
    }

    /// Whether it has its rooms now.
    package var isUnderWay: Bool { status.map { ![.stopped, .ended].contains($0.state) } ?? false }

    /// Whether the service knows it.
    package var isThere: Bool { isNamed || status != nil }

    /// `play`, `pause` or `stop`.
    package var state: String {
        switch status?.state {
        case .starting, .playing, .buffering: "play"
        case .paused: "pause"
        case .ended, .stopped, nil: "stop"
        }
    }

    /// Seconds into the track at an instant of the watch's clock.
    package func position(at now: Double) -> Double {
        guard let status, status.position.isFinite else { return 0 }
        let moved = status.state == .playing && status.rate.isFinite ? max(0, now - statusTime) * status.rate : 0
        return min(max(0, status.position + moved), status.item?.duration ?? .infinity)
    }

    /// The place of the current track; nil while nothing is chosen.
    package var current: Int? {
        if let id = status?.item?.id, let index = queue.entries.firstIndex(where: { $0.id == id }) { return index }
        guard let index = status?.item?.index, queue.entries.indices.contains(index) else { return nil }
        return index
    }

    /// The place of the track after the current one.
    package var next: Int? {
        guard let current else { return nil }
        switch options.repeatMode {
        case .one: return current
        case .all: return (current + 1) % queue.entries.count
        case .single: return nil
        case .off: return current + 1 < queue.entries.count ? current + 1 : nil
        }
    }

    /// Its rooms by their bare names.
    package var roomNames: [String] {
        guard isUnderWay, let status else { return rooms.map(Self.bareName) }
        return status.rooms.filter { $0.state != .taken }.map(\.name)
    }

    /// Whether a room is one of its.
    package func has(_ room: RoomStatus) -> Bool { roomNames.contains { Names.areSame($0, room.name) } }

    /// Where it is to play if it does not.
    package var place: PlayOrder {
        var order = PlayOrder(inputs: [])
        if isNamed { order.groups = [name] } else { order.rooms = rooms }
        order.any = true
        return order
    }

    /// The name alone, of a room that may be written with its address.
    package static func bareName(_ text: String) -> String {
        text.lastIndex(of: "@").map { String(text[..<$0]) } ?? text
    }

    /// A room so that no other one is meant.
    package static func fullName(_ room: RoomStatus) -> String {
        room.address.isEmpty ? room.name : "\(room.name)@\(room.address)"
    }
}
