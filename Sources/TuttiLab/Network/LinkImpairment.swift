import Glibc

/// One direction of one port at work: takes the instant at which a frame enters and says when it leaves, in order.
///
/// Randomness comes from the seed alone. The stalls are a function of seed and time, not of the traffic, and both
/// directions of a port share them (a busy radio channel stops both).
package struct LinkImpairment: Sendable {
    package var direction: LinkDirection
    private var random: LabRandom
    private let stallSeed: UInt64
    private var lastDue = Int64.min

    /// - Parameters:
    ///   - seed: of delays and losses, this direction's own.
    ///   - stallSeed: of the stalls, the port's.
    package init(_ direction: LinkDirection, seed: UInt64, stallSeed: UInt64) {
        self.direction = direction
        self.random = LabRandom(seed: seed)
        self.stallSeed = stallSeed
    }

    /// When a frame that enters at `time` leaves, never before one that entered earlier; nil when it is lost.
    package mutating func due(entering time: Int64) -> Int64? {
        guard direction.passes else { return nil }
        if direction.loss > 0, random.nextUnit() < direction.loss { return nil }
        var due = time &+ direction.base
        if direction.jitter > 0 {
            due &+= Int64(-log(1 - random.nextUnit()) * Double(direction.jitter))
        }
        if let stall = direction.stall, let end = stallEnd(covering: due, of: stall) { due = end }
        lastDue = max(due, lastDue)
        return lastDue
    }

    /// The end of the stall in which `time` lies, nil outside stalls.
    private func stallEnd(covering time: Int64, of stall: LinkDirection.Stall) -> Int64? {
        let index = time / stall.period
        var dice = LabRandom(seed: stallSeed ^ (UInt64(bitPattern: index) &* 0x9E37_79B9_7F4A_7C15))
        let length = stall.shortest + Int64(dice.nextUnit() * Double(stall.longest - stall.shortest))
        let start = index * stall.period + Int64(dice.nextUnit() * Double(stall.period - length))
        return time >= start && time < start + length ? start + length : nil
    }
}
