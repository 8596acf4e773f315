package import TuttiCore

/// Whether a group's members go by their hosts' system clocks. Each says so for itself and all who ask it, in its
/// questions; the leader says in its answers whether the group's clock does, and the others pass that on. What is said
/// moves no clock: it only allows a member to take its own system clock where that agrees with what it measures.
extension ClockMember {
    /// Nanoseconds for which a word counts.
    private static var wordMemory: Int64 { 5_000_000_000 }

    /// Whether this member and all who ask it go by their system clocks.
    func saysSystem(now: HostTime) -> Bool {
        usesSystemClock
            && systemWords.values.allSatisfy { $0.isSaid || now.nanoseconds(since: $0.at) > Self.wordMemory }
    }

    /// Whether all members do, and the leader's clock too: what allows this one to.
    package func isSystemGroup(now: HostTime) -> Bool {
        guard usesSystemClock else { return false }
        return parent == nil ? saysSystem(now: now) : follower?.toldSystem ?? false
    }

    /// What those who ask are told.
    func tellsSystem(now: HostTime) -> Bool {
        parent == nil ? leadsBySystemClock && saysSystem(now: now) : follower?.toldSystem ?? false
    }

    /// Somebody of the order has asked.
    mutating func noteSystemWord(_ bytes: [UInt8], of address: Address, now: HostTime) {
        guard usesSystemClock, peers.contains(address) else { return }
        systemWords = systemWords.filter { peers.contains($0.key) }
        systemWords[address] = ((try? TimingMessage(parsing: bytes))?.usesSystemClock ?? false, now)
    }

    /// Moves the line of a member that leads a little, as its system clock goes.
    package mutating func steer(_ line: ClockEstimate) {
        guard isLeading, line.timescale == timescale else { return }
        keep(line)
        handOn()
    }
}
