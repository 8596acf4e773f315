import TuttiCore

/// Where a member's time comes from: which leader, since when that one leads, when it spoke last and through how many others.
///
/// Every message carries it. Members that meet know by it which of two leaders to follow, and nobody takes for news what has come
/// from itself: a leader's word is worth something only where it is newer than the last that was heard of it.
package struct ClockDescent: Sendable, Equatable {
    /// Whether the leader knew the clock only coarsely when it began to lead: any that did not goes before it.
    package var isCoarse: Bool
    /// How many leaders were lost, one after the other, until this one led; 0 for the one that began the clock.
    package var losses: UInt16
    /// A random number that the leader drew when it began to lead; not 0.
    package var leader: UInt32
    /// When the leader spoke, in milliseconds of a count of its own, which wraps.
    package var beat: UInt32
    /// How many members have handed its word on; 0 in what the leader itself says.
    package var steps: UInt8

    /// A descent.
    package init(isCoarse: Bool = false, losses: UInt16, leader: UInt32, beat: UInt32, steps: UInt8 = 0) {
        self.isCoarse = isCoarse
        self.losses = losses
        self.leader = leader
        self.beat = beat
        self.steps = steps
    }

    /// What one who follows has of it.
    var handedOn: ClockDescent {
        var descent = self
        descent.steps = steps == .max ? .max : steps + 1
        return descent
    }

    /// Whether its leader is to be followed rather than the other's; of the same leader, whether it has come a shorter way.
    func goesBefore(_ other: ClockDescent) -> Bool {
        if leader == other.leader { return steps < other.steps }
        if isCoarse != other.isCoarse { return !isCoarse }
        return (losses, leader) < (other.losses, other.leader)
    }

    /// Whether the leader spoke later than at `beat` of the same count.
    func isNewer(than beat: UInt32) -> Bool { Int32(bitPattern: self.beat &- beat) > 0 }

    /// The count of one that leads.
    static func beat(at now: HostTime) -> UInt32 { UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000) }
}
