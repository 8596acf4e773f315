import Glibc
import TuttiCards
import TuttiCore

/// One direction of one port at work: takes the instant at which a frame enters and says when it leaves.
///
/// Randomness comes from the seed alone. The stalls are a function of seed and time, not of the traffic, and both
/// directions of a port share them (a busy radio channel stops both).
package struct LinkImpairment: Sendable {
    package var direction: LinkDirection
    private var random: SplitMix64
    private let stallSeed: UInt64
    /// The frame that entered last, of those that were not held back, and when it leaves.
    private var last = (entered: Int64.min, due: Int64.min)
    /// Until when a link of limited rate is busy.
    var freeAt = Int64.min
    private var fairQueue = FairQueue()

    /// - Parameters:
    ///   - seed: of delays and losses, this direction's own.
    ///   - stallSeed: of the stalls, the port's.
    package init(_ direction: LinkDirection, seed: UInt64, stallSeed: UInt64) {
        self.direction = direction
        self.random = SplitMix64(seed: seed)
        self.stallSeed = stallSeed
    }

    /// How a frame that enters at `time` gets through; nil when it is lost. It never leaves before one that entered
    /// earlier, unless that one is held back.
    ///
    package mutating func pass(_ frame: LinkFrame = LinkFrame(), entering time: Int64) -> LinkPassage? {
        guard direction.passes else { return nil }
        if let largest = direction.largestPacket, frame.bytes > largest { return nil }
        if direction.loss > 0, random.unit() < direction.loss { return nil }
        if frame.isMarked, happens(direction.markedLoss) { return nil }
        guard let (through, isBehind) = carry(frame, entering: time) else { return nil }
        var due = through &+ direction.base
        if direction.jitter > 0 {
            due &+= Int64(-log(1 - random.unit()) * Double(direction.jitter))
        }
        if let stall = direction.stall, let end = stallEnd(covering: due, of: stall) { due = end }
        // What comes through slower links enters later, though the switch knows of it already: it is not waited for.
        var passage = LinkPassage(due: time < last.entered ? due : max(due, last.due))
        // What stands in a queue of its flow is overtaken by those of others.
        if isBehind {
            passage = LinkPassage(due: due, isHeldBack: true)
        } else if happens(direction.overtaking) {
            passage.isHeldBack = true
            passage.due &+= hold()
        } else if time >= last.entered {
            last = (time, passage.due)
        }
        if happens(direction.duplication) { passage.copyDue = passage.due &+ hold() }
        return passage
    }

    /// Dice are thrown only where there is something to decide: what a seed gives does not change by what a link cannot
    /// do.
    private mutating func happens(_ probability: Double) -> Bool {
        probability > 0 && random.unit() < probability
    }

    private mutating func hold() -> Int64 { Int64(random.unit() * Double(LinkDirection.longestHold)) }

    /// When a frame has been carried at the link's rate, and whether it has waited in a queue of its flow's own; nil
    /// when it is dropped.
    private mutating func carry(_ frame: LinkFrame, entering time: Int64) -> (due: Int64, isBehind: Bool)? {
        guard let wait = crowdWait(at: time) else { return nil }
        guard let capacity = direction.capacity else { return (time &+ wait, false) }
        let byteTime = 8e9 / Double(capacity.bitsPerSecond)
        let longest = Double(capacity.queueBytes) * byteTime
        if capacity.isFair {
            return fairQueue.carry(frame, entering: time, byteTime: byteTime, longest: longest)
        }
        let start = max(time &+ wait, freeAt)
        guard Double(start - time) <= max(longest, Double(wait)) else { return nil }
        freeAt = start &+ Int64(Double(frame.bytes) * byteTime)
        return (freeAt, false)
    }

    /// How long a frame waits behind what others send, in ns; nil when their queue is full just then.
    private mutating func crowdWait(at time: Int64) -> Int64? {
        guard direction.crowd > 0 else { return 0 }
        let fill = Double(time % LinkDirection.crowdPeriod) / Double(LinkDirection.crowdPeriod)
        if fill > 0.97, happens(0.5) { return nil }
        return Int64(Double(direction.crowd) * (0.5 + 0.5 * fill))
    }

    /// The end of the stall in which `time` lies, nil outside stalls.
    private func stallEnd(covering time: Int64, of stall: LinkTraits.Stall) -> Int64? {
        let index = time / stall.period
        var dice = SplitMix64(seed: stallSeed ^ (UInt64(bitPattern: index) &* 0x9E37_79B9_7F4A_7C15))
        let length = stall.shortest + Int64(dice.unit() * Double(stall.longest - stall.shortest))
        let start = index * stall.period + Int64(dice.unit() * Double(stall.period - length))
        return time >= start && time < start + length ? start + length : nil
    }
}
