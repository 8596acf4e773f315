package import TuttiCore

/// So many at once, and so many a second after that: a bucket that fills evenly.
package struct RateLimit {
    private let perSecond: Double
    private let atOnce: Double
    private var level: Double
    /// When it was last asked; nil before that.
    private(set) var lastAsked: HostTime?

    package init(perSecond: Double, atOnce: Double) {
        self.perSecond = perSecond
        self.atOnce = atOnce
        level = atOnce
    }

    /// Whether there may be one more now, which counts then.
    package mutating func allows(now: HostTime) -> Bool {
        if let lastAsked {
            level = min(atOnce, level + Double(max(0, now.nanoseconds(since: lastAsked))) * perSecond * 1e-9)
        }
        lastAsked = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }
}
