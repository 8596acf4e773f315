/// What a machine holds of a group clock.
package struct ClockObservation: Sendable, Hashable, Codable {
    /// Names the group clock.
    package var timescale: UInt64
    /// Whom it follows, who may follow another; nil when it leads itself.
    package var leader: Machine?
    /// Whether it has heard of its leader lately, or leads; otherwise it goes on by its last drift.
    package var isCurrent: Bool
    /// How far it believes its clock to be off, as one standard deviation in nanoseconds; nil before it knows.
    package var sigma: Int64?

    /// A clock.
    package init(timescale: UInt64, leader: Machine?, isCurrent: Bool, sigma: Int64?) {
        self.timescale = timescale
        self.leader = leader
        self.isCurrent = isCurrent
        self.sigma = sigma
    }
}
