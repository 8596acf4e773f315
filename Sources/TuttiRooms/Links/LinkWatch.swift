package import TuttiCore

/// Watches whether a room's link carries what is sent there, by what the room reports to buffer.
///
/// Only times in which the connection takes less than there is to send tell something: otherwise all is there that
/// there is.
package struct LinkWatch: Sendable {
    /// What came of a look.
    package enum Finding: Sendable, Equatable {
        /// All is well, or nothing is known yet.
        case fine
        /// Less comes than plays, and the room's buffer will not last. With the seconds of sound that come in a second.
        case tooSlow(Double)
        /// Nothing of what was sent arrives, though the room talks.
        case stuck
    }

    /// How the room stands.
    package struct Look: Sendable {
        package var now: HostTime
        /// Where its buffer ends, in seconds of the timeline; 0 when that is empty.
        package var end: Double
        /// How long its buffer lasts, in seconds.
        package var lead: Double
        /// Whether there is more to send than the connection takes.
        package var isCrowded: Bool

        package init(now: HostTime, end: Double, lead: Double, isCrowded: Bool) {
            (self.now, self.end, self.lead, self.isCrowded) = (now, end, lead, isCrowded)
        }
    }

    /// The less a room buffers, the sooner its link is judged, in ns: below so many seconds after so long. A room that
    /// buffers more can wait for its link to recover.
    private static let haste: [(lead: Double, time: Int64)] = [(5, 1_500_000_000), (20, 4_000_000_000)]
    /// Nanoseconds after which a stretch of time is judged no more.
    private static let memory: Int64 = 8_000_000_000
    /// Nanoseconds for which nothing arrives from a connection that is stuck: longer than any packet takes that is
    /// worth sending, and than a loss or two.
    private static let stuckTime: Int64 = 2_500_000_000
    /// Nanoseconds between two looks beyond which the room was out of reach: then the link is down, and that is
    /// something else.
    private static let longestSilence: Int64 = 1_500_000_000

    /// The first look of the stretch that is judged.
    private var first: Look?
    /// The look at which something had last arrived.
    private var moved: Look?
    private var last: Look?

    package init() {}

    /// Takes a look, a few times a second.
    package mutating func take(_ look: Look) -> Finding {
        defer { last = look }
        guard look.isCrowded, let first, let moved, let last, look.end >= last.end,
            look.now.nanoseconds(since: last.now) < Self.longestSilence
        else {
            (first, moved) = look.isCrowded ? (look, look) : (nil, nil)
            return .fine
        }
        if look.end > moved.end {
            self.moved = look
        } else if look.now.nanoseconds(since: moved.now) >= Self.stuckTime {
            self = LinkWatch()
            return .stuck
        }
        let elapsed = look.now.nanoseconds(since: first.now)
        if elapsed >= Self.memory { self.first = look }
        let rate = (look.end - first.end) / (Double(elapsed) * 1e-9)
        // Nothing at all is no rate.
        guard rate < 1, look.end > first.end, Self.haste.contains(where: { look.lead < $0.lead && elapsed >= $0.time })
        else { return .fine }
        self = LinkWatch()
        return .tooSlow(rate)
    }
}
