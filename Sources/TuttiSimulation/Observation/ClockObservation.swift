/// What a machine holds of a group clock.
package struct ClockObservation: Sendable, Hashable, Codable {
    /// Names the group clock.
    package var timescale: UInt64
    /// Where this member of the clock answers: a machine may have several.
    package var port: UInt16
    /// Whom it follows, who may follow another; nil when it leads itself.
    package var leader: Machine?
    /// Where that one answers; 0 where it leads itself.
    package var leaderPort: UInt16
    /// Whether it has heard of its leader lately, or leads; otherwise it goes on by its last drift.
    package var isCurrent: Bool
    /// How far it believes its clock to be off, as one standard deviation in nanoseconds; nil before it knows.
    package var sigma: Int64?

    /// A clock.
    package init(
        timescale: UInt64, port: UInt16 = 0, leader: Machine?, leaderPort: UInt16 = 0, isCurrent: Bool, sigma: Int64?
    ) {
        self.timescale = timescale
        (self.port, self.leaderPort) = (port, leaderPort)
        self.leader = leader
        self.isCurrent = isCurrent
        self.sigma = sigma
    }
}
