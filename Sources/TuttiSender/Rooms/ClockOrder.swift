package import TuttiCore
package import TuttiWire

/// Who shares a clock, as it is told to one room after the other. However many rooms there are, none is named more than a few others, and none is
/// asked by more than a few.
package struct ClockOrder: Sendable, Equatable {
    package typealias StandIn = ClockAnnouncement.StandIn

    /// How many stand-ins a room is told of: enough to find the clock again when some are gone. All that are named ask the leader; rooms
    /// beyond them ask one of those that are.
    package static let names = 16

    package var timescale: TimescaleID
    package var origin: String
    /// The room that leads; nil where the sender does.
    package var leader: StandIn?
    /// The UDP port of the sender.
    package var senderPort: UInt16
    /// All other rooms, the best first.
    package var standIns: [StandIn]

    /// An order of these.
    package init(
        timescale: TimescaleID, origin: String, leader: StandIn?, senderPort: UInt16, standIns: [StandIn]
    ) {
        (self.timescale, self.origin, self.leader) = (timescale, origin, leader)
        (self.senderPort, self.standIns) = (senderPort, standIns)
    }

    /// What a room is told.
    ///
    /// - Parameters:
    ///   - id: the speaker's.
    ///   - number: its number in the group, by which the rooms beyond those that are named are spread.
    package func announcement(to id: String, number: Int) -> ClockAnnouncement {
        let named = Array(standIns.prefix(Self.names))
        var announcement = ClockAnnouncement(
            timescale: timescale, origin: origin, leaderPort: senderPort, standIns: named)
        var asked = leader
        let isNamed = id == leader?.id || named.contains { $0.id == id }
        if !isNamed, standIns.count > Self.names {
            let relay = named[abs(number % named.count)]
            announcement.standIns = [leader].compactMap(\.self) + named.filter { $0 != relay }
            asked = relay
        }
        guard let asked else { return announcement }
        (announcement.leaderID, announcement.leaderHost) = (asked.id, asked.host)
        (announcement.leaderPort, announcement.senderPort) = (asked.port, senderPort)
        return announcement
    }

    /// Those that a sender asks, or that ask it.
    package var members: [StandIn] { [leader].compactMap(\.self) + standIns.prefix(Self.names) }
}
