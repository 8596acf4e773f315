import TuttiCore
package import TuttiRemote
import TuttiSchema

/// The players of a service's groups, as they come and go.
package struct PlayerSet: Sendable {
    /// What is to be done on the bus. Players are named by their groups' names, folded.
    package enum Effect: Sendable, Equatable {
        /// A player appears under this bus name.
        case appear(String, busName: String)
        /// A player is gone.
        case vanish(String)
        /// Those who listen to a player are told something.
        case tell(String, MediaPlayer.Signal)
    }

    /// The players that there are.
    package private(set) var players: [String: MediaPlayer] = [:]
    private var names: [String: String] = [:]

    /// Players that there are at most. Each is a connection to the bus; those that play come first.
    package static let most = 32

    /// None yet.
    package init() {}

    /// Takes what is known of the service.
    ///
    /// - Parameters:
    ///   - view: nil when the service is gone.
    ///   - artwork: the address of the picture of a file, if there is one.
    ///   - now: seconds, as `HouseView` has them.
    package mutating func take(
        _ view: HouseView?, artwork: (String) -> String?, at now: Double
    ) -> [Effect] {
        let groups = Self.shown(view?.groups ?? [])
        let names = PlayerName.names(ofGroups: groups.map(\.name))
        let wanted = Dictionary(groups.map { (Names.fold($0.name), names[$0.name]) }) { first, _ in first }
        var effects: [Effect] = []
        for key in players.keys.sorted() where wanted[key] == nil || wanted[key] != self.names[key] {
            effects.append(forget(key))
        }
        let rooms = view?.rooms ?? []
        // Media keys go to the one that appeared last.
        for group in groups.reversed() {
            let key = Names.fold(group.name)
            let picture = group.status?.item.flatMap { artwork($0.pictured) }
            if let signals = players[key]?.take(group, rooms: rooms, artwork: picture, at: now) {
                effects += signals.map { .tell(key, $0) }
            } else if let name = names[group.name] {
                players[key] = MediaPlayer(group, rooms: rooms, artwork: picture, at: now)
                self.names[key] = name
                effects.append(.appear(key, busName: name))
            }
        }
        return effects
    }

    /// Notes that a player could not appear, or was cut off: it appears again with what is known next.
    package mutating func forget(_ key: String) -> Effect {
        (players[key], names[key]) = (nil, nil)
        return .vanish(key)
    }

    /// Notes a rate that was set.
    package mutating func noteRate(_ rate: Double, of key: String) -> [Effect] {
        (players[key]?.noteRate(rate) ?? []).map { .tell(key, $0) }
    }

    /// The files that pictures are wanted of.
    package var files: Set<String> {
        Set(players.values.compactMap { $0.group.status?.item?.pictured }.filter { $0.hasPrefix("/") })
    }

    /// The groups that are players, those that play first.
    private static func shown(_ groups: [HouseView.Group]) -> [HouseView.Group] {
        let shown = groups.filter { group in
            guard let status = group.status else { return false }
            // Keys would go to a group that has nothing to play, only because it is new.
            let hasTracks = status.queue.length > 0 || status.item != nil
            // A queue that waits for a room has no name, and nothing can be done with it here.
            return hasTracks && !(group.name.isEmpty && status.state == .stopped)
        }
        let sorted = shown.sorted { (rank($0), $0.name) < (rank($1), $1.name) }
        return Array(sorted.prefix(most))
    }

    private static func rank(_ group: HouseView.Group) -> Int {
        switch group.status?.state {
        case .playing, .buffering, .starting: 0
        case .paused: 1
        case .ended: 2
        case .stopped, nil: 3
        }
    }
}
