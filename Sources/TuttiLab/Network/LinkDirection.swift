package import TuttiCards

/// What one direction of a port does to the frames that cross it. Delays in nanoseconds.
package struct LinkDirection: Sendable, Equatable {
    /// How much passes in a time, with a queue in front.
    package struct Capacity: Sendable, Equatable {
        /// Above 0.
        package var bitsPerSecond: Int64
        package var queueBytes: Int64
        /// Which air it goes through; nil for a wire of its own. All that goes through one air, both ways of all its
        /// ports, takes turns.
        package var air: Int?
        /// Whether the queue keeps flows apart (fq_codel), in place of one for all that drops what does not fit.
        package var isFair = false
    }

    /// The least delay.
    package var base: Int64
    /// Mean of the exponentially distributed delay on top of it.
    package var jitter: Int64
    /// Probability that a frame is lost, 0…1.
    package var loss: Double
    package var stall: LinkTraits.Stall?
    /// False: nothing passes at all.
    package var passes: Bool
    /// Probability that a frame comes twice, 0…1.
    package var duplication = 0.0
    /// Probability that a frame is held back, so that those behind it overtake it, 0…1.
    package var overtaking = 0.0
    /// What it carries; nil for as much as comes.
    package var capacity: Capacity?
    /// Nanoseconds of queue that others keep in front of it by what they send.
    package var crowd: Int64 = 0
    /// Probability that a frame with a class of service (DSCP) is lost, 0…1.
    package var markedLoss = 0.0
    /// The longest packet that passes, in bytes without the Ethernet header; longer ones vanish without a word. Nil for
    /// all.
    package var largestPacket: UInt32?

    /// Nanoseconds for which an overtaken frame is held back at most.
    static let longestHold: Int64 = 3_000_000
    /// Nanoseconds in which the queue of others falls to half and fills up again, as one connection's does that fills a
    /// link.
    static let crowdPeriod: Int64 = 800_000_000

    package init(base: Int64, jitter: Int64 = 0, loss: Double = 0, stall: LinkTraits.Stall? = nil, passes: Bool = true)
    {
        self.base = base
        self.jitter = jitter
        self.loss = loss
        self.stall = stall
        self.passes = passes
    }
}
