package import TuttiCore

/// Where the group clock is led: exchange timing messages with this address.
package struct ClockAnnouncement: Sendable, Equatable {
    /// The clock's timescale; group times of other messages are on it.
    package var timescale: TimescaleID
    /// The leader's address; nil when it is the host at the other end of this connection.
    package var leaderHost: String?
    /// The leader's UDP port.
    package var leaderPort: UInt16
    /// The leader's rank, less is better; for the choice of the next one.
    package var priority: Int

    /// An announcement.
    package init(timescale: TimescaleID, leaderHost: String? = nil, leaderPort: UInt16, priority: Int = 100) {
        self.timescale = timescale
        self.leaderHost = leaderHost
        self.leaderPort = leaderPort
        self.priority = priority
    }
}
