package import TuttiCore

/// Where the group clock is led, and who stands in for the leader: exchange timing messages with these, in this order.
package struct ClockAnnouncement: Sendable, Equatable {
    /// A member that stands in for the leader when that is silent.
    package struct StandIn: Sendable, Equatable {
        /// The speaker's id.
        package var id: String
        /// Its address, as the sender knows it; a loopback address is the sender's own host.
        package var host: String
        /// Its UDP port.
        package var port: UInt16

        /// A stand-in.
        package init(id: String, host: String, port: UInt16) {
            self.id = id
            self.host = host
            self.port = port
        }
    }

    /// The clock's timescale; group times of other messages are on it.
    package var timescale: TimescaleID
    /// The id of whoever began this clock: rates that are remembered against it are remembered under that name.
    package var origin: String
    /// The id of the speaker that leads; nil when the sender does.
    package var leaderID: String?
    /// The leader's address; nil when it is the host at the other end of this connection.
    package var leaderHost: String?
    /// The leader's UDP port.
    package var leaderPort: UInt16
    /// The UDP port of the sender that says so, a member behind all others; nil where that one leads, or does not say.
    package var senderPort: UInt16?
    /// Who stands in for the leader, best first. A speaker asks those before itself, never those after.
    package var standIns: [StandIn]

    /// An announcement.
    package init(
        timescale: TimescaleID, origin: String, leaderID: String? = nil, leaderHost: String? = nil,
        leaderPort: UInt16, senderPort: UInt16? = nil, standIns: [StandIn] = []
    ) {
        self.timescale = timescale
        self.origin = origin
        self.leaderID = leaderID
        self.leaderHost = leaderHost
        self.leaderPort = leaderPort
        self.senderPort = senderPort
        self.standIns = standIns
    }
}
