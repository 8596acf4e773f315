/// What sets a sound card apart from others, as far as a program that plays on it notices: one member of a population.
///
/// Whoever tries something with cards draws them (`drawn(seed:)`), so that it is tried with what cards are like and not
/// with one of them.
package struct CardTraits: Sendable, Equatable, Codable {
    /// For how long a card stands still now and then, and how often, though its sound goes on.
    package struct Pauses: Sendable, Equatable, Codable {
        /// Nanoseconds from the beginning of one to that of the next.
        package var interval: Int64
        /// Nanoseconds.
        package var length: Int64
    }

    /// For how long after its first frame a card may run at another rate, ns: its crystal's loop locks.
    package static let lockingTime: Int64 = 100_000_000

    /// How much faster than nominal its crystal runs.
    package var ppm = 0.0
    /// Nanoseconds from the start to the first frame; the pointer stands meanwhile.
    package var startLatency: Int64 = 0
    /// Frames by which the pointer moves at a time.
    package var step = 1
    /// Frames that the pointer is ahead of what has left: it counts them when they are handed over, the first ones at
    /// the start.
    package var lead = 0
    /// By how many frames the delay that the card states is more than what the pointer says has not left yet.
    package var delaySurplus = 0
    /// How much faster than otherwise it runs in the first tenth of a second, in ppm.
    package var lockingPpm = 0.0
    /// When its pointer stands, and jumps afterwards to where it belongs.
    package var pauses: Pauses?
    /// The only rate that it takes.
    package var rate: Int?
    /// Whether it takes 16 bits only.
    package var isOnly16Bit = false
    /// The only number of channels that it takes.
    package var channels = 2

    /// A card without any peculiarity.
    package init() {}

    /// Frames by which the position that a program computes, frames written less the delay, is ahead of what has left.
    /// Nothing that the card says shows it: it is the room's output delay.
    package var unseenLead: Int { lead - delaySurplus }
}
