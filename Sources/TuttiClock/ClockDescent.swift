import TuttiCore

/// Where a member's time comes from: which leader, how that one came to lead, how old its word is and through how many
/// others it came.
///
/// Every message carries it. Members that meet know by it which of two leaders to follow, and nobody takes for news
/// what has come from itself: a word is worth something only where the leader spoke it later than the last that was
/// heard.
package struct ClockDescent: Sendable, Equatable {
    /// Whether the leader knew the clock only coarsely when it began to lead: any that did not goes before it.
    package var isCoarse: Bool
    /// How many leaders were lost, one after the other, until this one led; 0 for the one that began the clock.
    package var losses: UInt16
    /// A random number that the leader drew when it began to lead; not 0.
    package var leader: UInt32
    /// How long ago the leader spoke when this was said, in milliseconds, rather too long than too short; 0 from the
    /// leader itself.
    package var age: UInt32
    /// How many members have handed its word on; 0 in what the leader itself says.
    package var steps: UInt8

    /// A descent.
    package init(isCoarse: Bool = false, losses: UInt16, leader: UInt32, age: UInt32 = 0, steps: UInt8 = 0) {
        self.isCoarse = isCoarse
        self.losses = losses
        self.leader = leader
        self.age = age
        self.steps = steps
    }

    /// What one who follows has of it.
    var handedOn: ClockDescent {
        var descent = self
        // One less than the type holds: who compares ways adds to it.
        descent.steps = min(steps, .max - 2) + 1
        return descent
    }

    /// Whether its leader is to be followed rather than the other's; of the same leader, whether it has come a shorter
    /// way.
    func goesBefore(_ other: ClockDescent) -> Bool {
        if leader == other.leader { return steps < other.steps }
        if isCoarse != other.isCoarse { return !isCoarse }
        return (losses, leader) < (other.losses, other.leader)
    }

    /// The same, said at `now` of a word that the leader spoke no later than at `origin`. Hosts count time differently,
    /// by parts of a thousand at most.
    func said(at now: HostTime, origin: HostTime) -> ClockDescent {
        var descent = self
        let milliseconds = max(0, now.nanoseconds(since: origin)) / 1_000_000
        descent.age = UInt32(clamping: milliseconds + milliseconds / 1_000 + 2)
        return descent
    }

    /// When the leader spoke at the earliest, by the clock of one who asked for this at `question`.
    func origin(askedAt question: HostTime) -> HostTime {
        question.advanced(byNanoseconds: -Int64(age) * 1_000_000)
    }
}
