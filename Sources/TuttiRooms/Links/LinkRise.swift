package import TuttiCore

/// Trying more on a link that was found full: a little once in a while, and more and more where that comes through.
package struct LinkRise: Sendable {
    /// The share by which more is tried in an interval, at first and at most.
    private static let share = 0.02...0.25
    /// By how much the share grows in an interval, where so many times what was known before comes through.
    private static let (growth, proof) = (1.5, 1.2)
    /// An interval: nanoseconds, or so many times what it takes to see what comes through.
    private static let (interval, windows) = (1e8, 3.0)
    /// Nanoseconds until more is tried, at first, on slow links, and at most.
    private static let pauses = (
        first: Int64(500_000_000), slow: Int64(2_000_000_000), longest: Int64(16_000_000_000)
    )

    /// What was known of the link when more was first tried, bytes a second; 0 while no more is tried.
    package private(set) var known = 0.0
    private var share = Self.share.lowerBound
    private var pause = Self.pauses.first
    private var next = HostTime(nanoseconds: 0)

    package init() {}

    /// Whether more is tried.
    package var isOn: Bool { known > 0 }

    /// Whether more is to be tried.
    package func isDue(now: HostTime) -> Bool { now >= next }

    /// Tries a little more.
    ///
    /// - Parameters:
    ///   - rate: bytes a second that are sent now.
    ///   - elapsed: nanoseconds since the last time.
    /// - Returns: bytes a second from now on.
    package mutating func step(from rate: Double, elapsed: Double) -> Double {
        if known == 0 { (known, share) = (rate, Self.share.lowerBound) }
        let interval = max(Self.interval, Self.windows * Double(LinkWindow.bytes) / rate * 1e9)
        let steps = min(1, elapsed / interval)
        let risen = rate * (1 + share * steps)
        if risen > known * Self.proof {
            share = min(Self.share.upperBound, share * (1 + (Self.growth - 1) * steps))
            pause = Self.firstPause(at: risen)
        }
        return risen
    }

    /// No more is tried.
    package mutating func stop() { known = 0 }

    /// No more is tried for a while.
    package mutating func rest(now: HostTime) { (known, next) = (0, now.advanced(byNanoseconds: pause)) }

    /// The link was found full at `rate` bytes a second: if it is the same link as before, more is tried less often.
    package mutating func met(_ rate: Double, isAnother: Bool) {
        pause = isAnother ? Self.firstPause(at: rate) : min(pause * 2, Self.pauses.longest)
    }

    private static func firstPause(at rate: Double) -> Int64 { rate < LinkPace.ample ? pauses.slow : pauses.first }
}
