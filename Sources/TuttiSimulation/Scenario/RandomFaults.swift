/// Faults that the seed chooses.
package struct RandomFaults: Sendable, Equatable, Codable {
    /// What may happen. Each has an end of its own or is over at once.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case kill, freeze, suspend, cut, partition, slow, lose, corrupt, duplicate, reorder, stall
        case blackHole = "blackhole"
        case readdress, step, drift, xrun, unplug
        case diskFull = "diskfull"
    }

    /// The mean time between two, in nanoseconds.
    package var every: Int64
    /// Those that are drawn from.
    package var kinds: [Kind]
    /// How long they last, in nanoseconds.
    package var shortest: Int64
    package var longest: Int64

    /// Faults.
    package init(
        every: Int64, kinds: [Kind] = Kind.allCases, shortest: Int64 = 1_000_000_000, longest: Int64 = 30_000_000_000
    ) {
        self.every = every
        self.kinds = kinds
        self.shortest = shortest
        self.longest = longest
    }
}
