/// People who ask for things that the seed chooses.
package struct RandomUsers: Sendable, Equatable, Codable {
    /// The mean time between two commands of all of them, in nanoseconds.
    package var every: Int64
    /// How long after one command the next may follow at the soonest, in nanoseconds: several people act at once.
    package var soonest: Int64

    /// Users.
    package init(every: Int64, soonest: Int64 = 0) {
        self.every = every
        self.soonest = soonest
    }
}
