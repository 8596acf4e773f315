import TuttiCore
package import TuttiSchema

/// How loud a group is.
package struct GroupLevel: Sendable, Equatable {
    /// The volume of its loudest room, 0 … 100.
    package var volume: Double
    /// Whether all of its rooms are mute.
    package var isMuted: Bool

    /// A level.
    package init(volume: Double, isMuted: Bool) { (self.volume, self.isMuted) = (volume, isMuted) }

    /// That of a group's rooms; nil if none is known.
    ///
    /// - Parameter rooms: what is known of all rooms, where the group itself does not say it.
    package init?(of group: HouseView.Group, rooms: [RoomStatus]) {
        var own = (group.status?.rooms ?? []).filter { $0.volume != nil }
        if own.isEmpty { own = rooms.filter { room in group.rooms.contains { Self.isMeant(room, by: $0) } } }
        guard let loudest = own.compactMap(\.volume).max(), loudest.isFinite else { return nil }
        self.init(volume: min(max(loudest, 0), 100), isMuted: own.allSatisfy { $0.muted == true })
    }

    /// Whether it is known of all rooms of a group how loud they are.
    package static func isKnown(of group: HouseView.Group, rooms: [RoomStatus]) -> Bool {
        let isTold = (group.status?.rooms ?? []).contains { $0.volume != nil }
        return isTold || group.rooms.allSatisfy { text in rooms.contains { isMeant($0, by: text) && $0.volume != nil } }
    }

    /// - Parameter text: a room as `--room` takes it.
    private static func isMeant(_ room: RoomStatus, by text: String) -> Bool {
        let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
        return parts.first.map { Names.areSame(room.name, $0) } == true || parts.last == room.address
    }
}
