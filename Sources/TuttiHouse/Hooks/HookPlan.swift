package import TuttiSchema

/// Which of the household's own commands are due, by what happens in its groups. Sans-I/O: it takes events and the
/// time, and gives the commands' occasions.
package struct HookPlan: Sendable {
    /// When a command is run.
    package enum Occasion: String, Sendable, CaseIterable {
        /// A group begins to play.
        case start
        /// A group does not play any more.
        case stop
        /// Nothing has played for a while, after something had.
        case idle
        /// A room's volume was changed, or it was muted or unmuted.
        case volume
        /// The connection to a room is lost.
        case lost
        /// An announcement begins.
        case announcement
    }

    /// A command that is due.
    package struct Call: Sendable, Equatable {
        package let occasion: Occasion
        /// What it is told, by the names of variables.
        package let fields: [String: String]

        package init(_ occasion: Occasion, _ fields: [String: String]) {
            (self.occasion, self.fields) = (occasion, fields)
        }
    }

    private struct Loudness: Sendable, Equatable {
        let volume: Double
        let isMuted: Bool?
    }

    private struct Group: Sendable {
        var isPlaying = false
        var item: PlayerStatus.Item?
        /// How loud the rooms are, as far as that is known.
        var rooms: [String: Loudness?] = [:]
        var lost: Set<String> = []
    }

    private let idleAfter: Double
    private var groups: [String: Group] = [:]
    /// Since when nothing plays; nil while something does, before anything has, and once that has been told.
    private var idleSince: Double?

    /// - Parameter idleAfter: seconds without music after which nothing is expected to come.
    package init(idleAfter: Double) { self.idleAfter = idleAfter }

    /// What is due after an event.
    ///
    /// - Parameter now: seconds of any clock that runs evenly.
    package mutating func take(_ event: ControlEvent, at now: Double) -> [Call] {
        let name = event.group ?? ""
        switch event.kind {
        // Before its rooms are known, which the first progress tells, a group has not begun.
        case .state(.playing) where groups[name]?.rooms.isEmpty ?? true: return []
        case .state(let state): return note(state, of: name, now)
        case .progress(let status):
            let changes = note(status, of: name)
            return note(status.state, of: name, now) + changes
        case .room(let room, let event, let message): return note(event, message, of: room, name)
        case .item(let item):
            groups[name, default: Group()].item = item
            return []
        case .finished:
            let calls = note(.ended, of: name, now)
            groups[name] = nil
            return calls
        case .itemFailed, .stalled, .notice, .changed: return []
        }
    }

    /// What is due when events are heard again after some were missed: what does not play any more has stopped.
    ///
    /// - Parameter playing: the groups that play now.
    package mutating func goOn(with playing: Set<String>, at now: Double) -> [Call] {
        groups.keys.filter { !playing.contains($0) }.sorted().flatMap { name in
            defer { groups[name] = nil }
            return note(.ended, of: name, now)
        }
    }

    /// What is due because time has passed.
    package mutating func wait(until now: Double) -> [Call] {
        guard let since = idleSince, now - since >= idleAfter else { return [] }
        idleSince = nil
        return [Call(.idle, [:])]
    }

    /// An announcement begins in rooms.
    package func announce(in rooms: [String]) -> [Call] { [Call(.announcement, ["TUTTI_ROOMS": Self.list(rooms)])] }

    private mutating func note(_ state: PlayerStatus.State, of name: String, _ now: Double) -> [Call] {
        // Whoever fills buffers after a jump goes on with what he did.
        guard state != .buffering, state != .starting else { return [] }
        var group = groups[name] ?? Group()
        let isPlaying = state == .playing
        guard group.isPlaying != isPlaying else { return [] }
        group.isPlaying = isPlaying
        groups[name] = group
        let isQuiet = !groups.values.contains(where: \.isPlaying)
        idleSince = isQuiet ? now : nil
        return [Call(isPlaying ? .start : .stop, fields(of: group, name))]
    }

    private mutating func note(_ status: PlayerStatus, of name: String) -> [Call] {
        var group = groups[name] ?? Group()
        let before = group.rooms
        (group.item, group.rooms) = (status.item, [:])
        var calls: [Call] = []
        for room in status.rooms {
            let earlier = before[room.name] ?? nil
            let now = room.volume.map { Loudness(volume: $0, isMuted: room.muted) }
            // One whose volume is not known for a moment keeps the one before.
            group.rooms.updateValue(now ?? earlier, forKey: room.name)
            guard let now, let earlier, now != earlier else { continue }
            var fields = ["TUTTI_GROUP": name, "TUTTI_ROOM": room.name, "TUTTI_VOLUME": "\(now.volume)"]
            fields["TUTTI_MUTED"] = now.isMuted.map { "\($0)" }
            calls.append(Call(.volume, fields))
        }
        groups[name] = group
        return calls
    }

    private mutating func note(_ event: RoomEvent, _ message: String, of room: String, _ name: String) -> [Call] {
        var group = groups[name] ?? Group()
        defer { groups[name] = group }
        switch event {
        case .connected, .removed:
            group.lost.remove(room)
            return []
        case .lost, .state(.unreachable):
            guard group.lost.insert(room).inserted else { return [] }
            return [Call(.lost, ["TUTTI_GROUP": name, "TUTTI_ROOM": room, "TUTTI_MESSAGE": message])]
        default: return []
        }
    }

    private func fields(of group: Group, _ name: String) -> [String: String] {
        var fields = ["TUTTI_GROUP": name, "TUTTI_ROOMS": Self.list(Array(group.rooms.keys))]
        fields["TUTTI_TITLE"] = group.item?.title
        fields["TUTTI_ARTIST"] = group.item?.artist
        return fields
    }

    /// Names, one in a line.
    private static func list(_ names: [String]) -> String { names.sorted().joined(separator: "\n") }
}
