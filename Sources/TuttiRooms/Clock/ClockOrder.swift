package import TuttiCore
package import TuttiWire

/// Who shares a clock, as it is told to one room after the other. However many rooms there are, none is named more than
/// a few others, and none is asked by more than a few.
package struct ClockOrder: Sendable, Equatable {
    package typealias StandIn = ClockAnnouncement.StandIn

    /// How many stand-ins a room is told of: enough to find the clock again when some are gone. All that are named ask
    /// the leader; rooms beyond them ask one of those that are.
    package static let names = 16
    /// How many stand-ins a clock order needs for every room to be told the right ones: those that are named, and one
    /// more that shows that there are others.
    package static let listed = names + 1

    /// Who leads.
    package enum Leader: Sendable, Equatable {
        /// Whoever sends this, at its UDP port.
        case sender(port: UInt16)
        /// A room. The sender comes after all others, at its UDP port; nil where it takes no part.
        case room(StandIn, senderPort: UInt16?)
    }

    package var timescale: TimescaleID
    package var origin: String
    package var leader: Leader
    /// The other rooms, the best first; the first `listed` of them do.
    package var standIns: [StandIn]

    /// A clock order of these.
    package init(timescale: TimescaleID, origin: String, leader: Leader, standIns: [StandIn]) {
        (self.timescale, self.origin, self.leader, self.standIns) = (timescale, origin, leader, standIns)
    }

    /// What a room is told.
    ///
    /// - Parameters:
    ///   - id: the speaker's.
    ///   - number: its number in the group, by which the rooms beyond those that are named are spread.
    package func announcement(to id: String, number: Int) -> ClockAnnouncement {
        let named = Array(standIns.prefix(Self.names))
        let isNamed = id == leadingRoom?.id || named.contains { $0.id == id }
        if !isNamed, standIns.count > Self.names {
            let relay = named[abs(number % named.count)]
            precondition(named.count == Self.names, "a relay is one of the rooms that are named")
            return announcement(
                asking: relay, standIns: [leadingRoom].compactMap(\.self) + named.filter { $0 != relay })
        }
        switch leader {
        case .sender(let port):
            return ClockAnnouncement(timescale: timescale, origin: origin, leaderPort: port, standIns: named)
        case .room(let room, _): return announcement(asking: room, standIns: named)
        }
    }

    private func announcement(asking asked: StandIn, standIns: [StandIn]) -> ClockAnnouncement {
        precondition(standIns.count <= Self.names, "a room is told of more stand-ins than it may know")
        return ClockAnnouncement(
            timescale: timescale, origin: origin, leaderID: asked.id, leaderHost: asked.host, leaderPort: asked.port,
            senderPort: senderPort, standIns: standIns)
    }

    /// Those that a sender asks, or that ask it.
    package var members: [StandIn] { [leadingRoom].compactMap(\.self) + standIns.prefix(Self.names) }

    private var leadingRoom: StandIn? { if case .room(let room, _) = leader { room } else { nil } }

    private var senderPort: UInt16? {
        switch leader {
        case .sender(let port): port
        case .room(_, let port): port
        }
    }
}
