import Glibc

/// One direction of one port at work: takes the instant at which a frame enters and says when it leaves.
///
/// Randomness comes from the seed alone. The stalls are a function of seed and time, not of the traffic, and both
/// directions of a port share them (a busy radio channel stops both).
package struct LinkImpairment: Sendable {
    package var direction: LinkDirection
    private var random: LabRandom
    private let stallSeed: UInt64
    /// The frame that entered last, of those that were not held back, and when it leaves.
    private var last = (entered: Int64.min, due: Int64.min)
    /// Until when a link of limited rate is busy.
    var freeAt = Int64.min

    /// - Parameters:
    ///   - seed: of delays and losses, this direction's own.
    ///   - stallSeed: of the stalls, the port's.
    package init(_ direction: LinkDirection, seed: UInt64, stallSeed: UInt64) {
        self.direction = direction
        self.random = LabRandom(seed: seed)
        self.stallSeed = stallSeed
    }

    /// How a frame that enters at `time` gets through; nil when it is lost. It never leaves before one that entered
    /// earlier, unless that one is held back.
    ///
    /// - Parameter bytes: of its packet, without the Ethernet header.
    package mutating func pass(entering time: Int64, bytes: UInt32 = 0) -> LinkPassage? {
        guard direction.passes else { return nil }
        if let largest = direction.largestPacket, bytes > largest { return nil }
        if direction.loss > 0, random.nextUnit() < direction.loss { return nil }
        guard let through = carry(bytes, entering: time) else { return nil }
        var due = through &+ direction.base
        if direction.jitter > 0 {
            due &+= Int64(-log(1 - random.nextUnit()) * Double(direction.jitter))
        }
        if let stall = direction.stall, let end = stallEnd(covering: due, of: stall) { due = end }
        // What comes through slower links enters later, though the switch knows of it already: it is not waited for.
        var passage = LinkPassage(due: time < last.entered ? due : max(due, last.due))
        if happens(direction.overtaking) {
            passage.isHeldBack = true
            passage.due &+= hold()
        } else if time >= last.entered {
            last = (time, passage.due)
        }
        if happens(direction.duplication) { passage.copyDue = passage.due &+ hold() }
        return passage
    }

    /// Dice are thrown only where there is something to decide: what a seed gives does not change by what a link cannot do.
    private mutating func happens(_ probability: Double) -> Bool {
        probability > 0 && random.nextUnit() < probability
    }

    private mutating func hold() -> Int64 { Int64(random.nextUnit() * Double(LinkDirection.longestHold)) }

    /// When a frame has been carried at the link's rate; nil when the queue in front of it has no room.
    private mutating func carry(_ bytes: UInt32, entering time: Int64) -> Int64? {
        guard let capacity = direction.capacity else { return time }
        let start = max(time, freeAt)
        let nanosecondsPerByte = 8e9 / Double(capacity.bitsPerSecond)
        guard Double(start - time) <= Double(capacity.queueBytes) * nanosecondsPerByte else { return nil }
        freeAt = start &+ Int64(Double(bytes) * nanosecondsPerByte)
        return freeAt
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
