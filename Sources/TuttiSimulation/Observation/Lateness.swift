/// How late a room's sound was, in nanoseconds; less than 0 when it was early.
///
/// The truth to measure by: the newest timebase that the room was told, read by the clock of whoever leads the timescale
/// the room follows (its own clock when it leads, its last leader's for as long as that runs, and otherwise what the
/// room itself believes).
package struct Lateness: Sendable, Hashable, Codable {
    /// Of the last frame played before the observation.
    package var last: Int64
    /// The least and the greatest since the observation before.
    package var least: Int64
    package var greatest: Int64

    /// How much of the last is due to the room's clock, which is so far behind; the rest is its card's. Not of account
    /// where nothing is known.
    package var clock: Int64

    /// A lateness.
    package init(last: Int64, least: Int64, greatest: Int64, clock: Int64 = 0) {
        self.clock = clock
        self.last = last
        self.least = least
        self.greatest = greatest
    }
}
