import TuttiCore
package import TuttiRemote
import TuttiSchema

/// The sinks of a house: one for each group that people have made, and one for all rooms where they have made none.
package struct SinkSet: Sendable {
    /// One of them.
    package struct Sink: Sendable, Equatable {
        /// Its name on the graph: `tutti.GROUP`, or `tutti`.
        package var node: String
        /// What people see: `Tutti GROUP`, or `Tutti`.
        package var description: String
        /// Where it plays.
        package var group: HouseView.Group
        /// How loud it is there; nil if no room of it is known.
        package var level: GroupLevel?
    }

    /// What is to be done. Sinks are named by their groups' names, folded.
    package enum Effect: Sendable, Equatable {
        case appear(String)
        case vanish(String)
        /// Its group stands otherwise now, or is as loud as it was.
        case change(String)
    }

    /// Sinks that there are at most.
    package static let most = 32

    /// Those that there are.
    package private(set) var sinks: [String: Sink] = [:]

    /// None yet.
    package init() {}

    /// Takes what is known of the service.
    ///
    /// - Parameters:
    ///   - view: nil when the service is gone: programs that play keep their sinks, for it mostly comes back.
    ///   - isComplete: whether rooms that are not told of do not answer; else a sink of theirs is as loud as it was.
    package mutating func take(_ view: HouseView?, isComplete: Bool = true) -> [Effect] {
        guard let view else { return [] }
        let groups = Self.shown(view)
        let labels = GroupLabel.labels(ofGroups: groups.map(\.name))
        var wanted: [String: Sink] = [:]
        for group in groups {
            let (key, label) = (Names.fold(group.name), labels[group.name] ?? "")
            let isKnown = isComplete || GroupLevel.isKnown(of: group, rooms: view.rooms)
            wanted[key] = Sink(
                node: label.isEmpty ? "tutti" : "tutti.\(label)",
                description: group.name.isEmpty ? "Tutti" : "Tutti \(group.name)", group: group,
                level: isKnown ? GroupLevel(of: group, rooms: view.rooms) : sinks[key]?.level)
        }
        let renamed = sinks.filter { key, sink in wanted[key].map { $0.node != sink.node } ?? true }
        var effects = renamed.keys.sorted().map { Effect.vanish($0) }
        for key in wanted.keys.sorted() {
            let isNew = sinks[key] == nil || renamed[key] != nil
            if isNew { effects.append(.appear(key)) } else if sinks[key] != wanted[key] { effects.append(.change(key)) }
        }
        sinks = wanted
        return effects
    }

    /// The groups that the service should be asked for once more, how loud they are: rooms that somebody sets just then, or
    /// that the service has yet to meet, are not among those that it tells of.
    package func unknown(in view: HouseView) -> [HouseView.Group] {
        sinks.values.map(\.group).filter { !GroupLevel.isKnown(of: $0, rooms: view.rooms) }
    }

    /// Notes that a sink could not appear: it appears again with what is known next.
    package mutating func forget(_ key: String) { sinks[key] = nil }

    /// The groups that are sinks.
    private static func shown(_ view: HouseView) -> [HouseView.Group] {
        let named = view.groups.filter { $0.isNamed && !$0.name.isEmpty }
        if !named.isEmpty { return Array(named.prefix(most)) }
        guard !view.rooms.isEmpty else { return [] }
        let playing = view.groups.first { $0.status.map { $0.state != .stopped } ?? false }
        var house = HouseView.Group(
            name: "", rooms: view.rooms.map { $0.address.isEmpty ? $0.name : "\($0.name)@\($0.address)" },
            isNamed: false)
        // Whatever plays is in the way, and comes back after it.
        if let playing {
            (house.status, house.statusTime, house.rooms) = (playing.status, playing.statusTime, playing.rooms)
        }
        return [house]
    }
}
